// A library that is called CUDA. A toolkit's stub answers 34 to cuInit.
#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

API int cuInit(unsigned flags) {
	(void)flags;
	return INIT;
}
