// Functions that say whether their arguments crossed the C ABI unharmed.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

// The i-th argument that argsN expects: all bytes differ, half are negative.
static uint64_t expected(int i) { return 0x8123456789abcdefull + (uint64_t)i * 0x9e3779b97f4a7c15ull; }

#define BAD(i) ((a##i != expected(i)) ? 1ull << (i) : 0)

// argsN takes N words and returns a bit for each that is not as expected, and
// bit 63 always: a result that is not all zeros.
API uint64_t args0(void) { return 1ull << 63; }
API uint64_t args1(uint64_t a0) { return 1ull << 63 | BAD(0); }
API uint64_t args2(uint64_t a0, uint64_t a1) { return 1ull << 63 | BAD(0) | BAD(1); }
API uint64_t args3(uint64_t a0, uint64_t a1, uint64_t a2) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2); }
API uint64_t args4(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3); }
API uint64_t args5(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4); }
API uint64_t args6(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5); }
API uint64_t args7(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6); }
API uint64_t args8(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7); }
API uint64_t args9(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8); }
API uint64_t args10(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9); }
API uint64_t args11(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10); }
API uint64_t args12(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11); }
API uint64_t args13(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12); }
API uint64_t args14(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12) | BAD(13); }
API uint64_t args15(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13, uint64_t a14) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12) | BAD(13) | BAD(14); }
API uint64_t args16(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13, uint64_t a14, uint64_t a15) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12) | BAD(13) | BAD(14) | BAD(15); }
API uint64_t args20(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13, uint64_t a14, uint64_t a15, uint64_t a16, uint64_t a17, uint64_t a18, uint64_t a19) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12) | BAD(13) | BAD(14) | BAD(15) | BAD(16) | BAD(17) | BAD(18) | BAD(19); }
API uint64_t args32(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13, uint64_t a14, uint64_t a15, uint64_t a16, uint64_t a17, uint64_t a18, uint64_t a19, uint64_t a20, uint64_t a21, uint64_t a22, uint64_t a23, uint64_t a24, uint64_t a25, uint64_t a26, uint64_t a27, uint64_t a28, uint64_t a29, uint64_t a30, uint64_t a31) { return 1ull << 63 | BAD(0) | BAD(1) | BAD(2) | BAD(3) | BAD(4) | BAD(5) | BAD(6) | BAD(7) | BAD(8) | BAD(9) | BAD(10) | BAD(11) | BAD(12) | BAD(13) | BAD(14) | BAD(15) | BAD(16) | BAD(17) | BAD(18) | BAD(19) | BAD(20) | BAD(21) | BAD(22) | BAD(23) | BAD(24) | BAD(25) | BAD(26) | BAD(27) | BAD(28) | BAD(29) | BAD(30) | BAD(31); }

// launch has the prototype of cuLaunchKernel. It gives each argument back where
// extra points.
struct launch {
	uint64_t f;
	uint32_t grid[3], block[3], shared, pad; // C leaves padding as it was
	uint64_t stream, params;
};

API int launch(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
	void *stream, void **params, void **extra) {
	struct launch l = {(uintptr_t)f, {gx, gy, gz}, {bx, by, bz}, shared, 0, (uintptr_t)stream, (uintptr_t)params};
	memcpy(extra, &l, sizeof l);
	return -719;
}

API int negate(int x) { return -x; }
API int64_t negate64(int64_t x) { return -x; }
API unsigned char low8(unsigned char c) { return c; }

// fill writes through four pointers of different sizes.
API int fill(int32_t *i, uint64_t *u, void **p, char *text, size_t n) {
	*i = -7;
	*u = UINT64_MAX - 1;
	*p = i;
	memset(text, 'x', n);
	text[n - 1] = 0;
	return (int)n;
}

API size_t length(const char *s) { return s ? strlen(s) : SIZE_MAX; }

API const char *name(int code) {
	static const char long_name[] = "a name of more than sixteen bytes, ending in \xc3\xa9";
	switch (code) {
	case 0: return "";
	case 1: return "CUDA_SUCCESS";
	case 2: return long_name;
	}
	return NULL;
}

// strings adds up the lengths of n strings: const char *const *.
API size_t strings(int n, const char *const *s) {
	size_t sum = 0;
	for (int i = 0; i < n; i++)
		sum = 100 * sum + strlen(s[i]);
	return sum;
}

// call_back writes to out before and after it calls cb, which may move the
// caller's memory if that is somewhere it can be moved.
API int64_t call_back(uint64_t (*cb)(uint64_t), uint64_t payload, int64_t *out) {
	*out = 1;
	int64_t r = (int64_t)cb(payload);
	*out += 41;
	return r;
}

API void nothing(void) {}
