// The kernels of kernels.txt. Compile with --gpu-architecture=compute_70 --std=c++17 --device-int128
// and every expression of kernels.txt as a name expression; NVRTC 11.2, 11.8 and
// 12.4 agree on all that they can compile (11.2 has no __grid_constant__).
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuComplex.h>
template<class T> __global__ void val(char, T v, T*p){*p=v;}
enum class Mode : unsigned char {A,B}; enum Old {O1};
struct Params { float a; int n; };
namespace ns { struct Box { double d; }; namespace { struct Anon { int i; }; } template<class T,int N> struct Arr { T v[N]; }; enum class E : short {X}; }
template<class T> struct Traits { typedef T type; typedef T* pointer; };
template<class T> __global__ void axpy(const T*x, T*y, T alpha){ y[0]+=alpha*x[0]; }
__global__ void plain(const float *__restrict__ a, volatile int *b, int **c, void *d, int f[4], const int n, float *const *pp, const void *cv, const volatile short *cvs){ b[0]=n; }
__global__ void ref(int &r){ r=1; }
__global__ void fp(int (*f)(int), int*o){ *o=f(1); }
template<class... Ts> __global__ void pack(Ts... ts){ }
template<class... Ts> __global__ void packp(int*o, const Ts*... ts){ *o=sizeof...(ts); }
template<class T> __global__ void dep(typename Traits<T>::type v, typename Traits<T>::pointer p){ *p=v; }
template<class F> __global__ void apply(F f, int*o){ *o=f(1); }
struct Add { int k; __device__ int operator()(int x) const { return x+k; } };
__global__ void cls(Params p, ns::Box b, ns::Arr<float,3> a, Mode m, Old o, ns::E e, Params*pp, const ns::Arr<int,2>*ap, float4*v4, int*out){ *out=p.n; }
template<Mode M, class T, int N> __global__ void nt(T *a, T (*b)[N]) { a[0]=(T)N; }
namespace ns { namespace in { template<class T> __global__ void f(T* a, const T*b) { a[0] = b[0]; } } }
__global__ void many(const float*a,float*b,const float*c,float*d,const int*e){ b[0]=a[0]; }
__global__ void i128(__int128 a, unsigned __int128 b, int*o){ *o=(int)a; }
__global__ void np(decltype(nullptr) n, int*o){*o=0;}
__global__ void mp(int Params::*m, Params*p, int*o){*o=p->*m;}
template<template<class> class C, class T> __global__ void tt(C<T> c, T*p){ }
template<int N> __global__ void gc(const __grid_constant__ Params p, int*o) { *o=p.n+N; }
template<typename T> __global__ void cstr(const T p, T const *const q, int*o){}
extern "C" __global__ void ec(int*a){}
