// A library that is called NVRTC, and knows its version.
#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

API int nvrtcVersion(int *major, int *minor) {
	*major = MAJOR;
	*minor = MINOR;
	return 0;
}
