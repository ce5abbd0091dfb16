// An NVRTC for Windows that compiles nothing: it makes PTX of what the source says.
// "crash", "hang" and "hog" do that; "refuse" is refused.
#include <stdlib.h>
#include <string.h>

#define API __declspec(dllexport)

typedef struct { char *source; } program;

static const char ptx[] = "//\n.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";
static const char none[] = "";
static const char no[] = "k.cu(1): error: no\n";

API int nvrtcVersion(int *major, int *minor) { *major = 12; *minor = 4; return 0; }
API const char *nvrtcGetErrorString(int result) { return result ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS"; }
API int nvrtcGetNumSupportedArchs(int *n) { *n = 1; return 0; }
API int nvrtcGetSupportedArchs(int *archs) { *archs = 70; return 0; }

API int nvrtcCreateProgram(program **p, const char *source, const char *name, int headers, const char **texts, const char **names) {
	*p = malloc(sizeof **p);
	(*p)->source = strcpy(malloc(strlen(source) + 1), source);
	return 0;
}

API int nvrtcDestroyProgram(program **p) { free((*p)->source); free(*p); *p = 0; return 0; }

// deep needs a stack that grows as a compiler's does.
static int deep(volatile int n) { volatile char room[4096]; room[0] = n; return n ? deep(n - 1) + room[0] : 0; }

API int nvrtcCompileProgram(program *p, int options, const char **list) {
	if (strstr(p->source, "crash")) *(volatile int *)8 = 1;
	if (strstr(p->source, "deep")) deep(8000);
	for (volatile unsigned n = 0; strstr(p->source, "hang"); n++) { }
	return strstr(p->source, "refuse") ? 6 : 0;
}

API int nvrtcGetProgramLogSize(program *p, size_t *n) { *n = strstr(p->source, "refuse") ? sizeof no : sizeof none; return 0; }
API int nvrtcGetProgramLog(program *p, char *log) { strcpy(log, strstr(p->source, "refuse") ? no : none); return 0; }
API int nvrtcAddNameExpression(program *p, const char *name) { return 0; }
API int nvrtcGetLoweredName(program *p, const char *name, const char **lowered) { *lowered = "k"; return 0; }
API int nvrtcGetPTXSize(program *p, size_t *n) { *n = sizeof ptx; return 0; }
API int nvrtcGetPTX(program *p, char *out) { strcpy(out, ptx); return 0; }
API int nvrtcGetCUBINSize(program *p, size_t *n) { *n = 0; return 0; }
