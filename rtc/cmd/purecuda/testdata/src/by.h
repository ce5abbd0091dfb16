#define BY 2.0f
