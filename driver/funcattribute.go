package driver

import "strconv"

// A FunctionAttribute is a fact about a compiled function: see
// [Function.Attribute]. Sizes are in bytes.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html
type FunctionAttribute int32

// The attributes that the driver documents.
const (
	FuncMaxThreadsPerBlock                FunctionAttribute = 0  // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
	FuncSharedSizeBytes                   FunctionAttribute = 1  // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
	FuncConstSizeBytes                    FunctionAttribute = 2  // CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES
	FuncLocalSizeBytes                    FunctionAttribute = 3  // CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
	FuncNumRegs                           FunctionAttribute = 4  // CU_FUNC_ATTRIBUTE_NUM_REGS
	FuncPTXVersion                        FunctionAttribute = 5  // CU_FUNC_ATTRIBUTE_PTX_VERSION
	FuncBinaryVersion                     FunctionAttribute = 6  // CU_FUNC_ATTRIBUTE_BINARY_VERSION
	FuncCacheModeCa                       FunctionAttribute = 7  // CU_FUNC_ATTRIBUTE_CACHE_MODE_CA
	FuncMaxDynamicSharedSizeBytes         FunctionAttribute = 8  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
	FuncPreferredSharedMemoryCarveout     FunctionAttribute = 9  // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
	FuncClusterSizeMustBeSet              FunctionAttribute = 10 // CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET
	FuncRequiredClusterWidth              FunctionAttribute = 11 // CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
	FuncRequiredClusterHeight             FunctionAttribute = 12 // CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT
	FuncRequiredClusterDepth              FunctionAttribute = 13 // CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH
	FuncNonPortableClusterSizeAllowed     FunctionAttribute = 14 // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
	FuncClusterSchedulingPolicyPreference FunctionAttribute = 15 // CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
)

var functionAttributeNames = map[FunctionAttribute]string{
	FuncMaxThreadsPerBlock:                "max threads per block",
	FuncSharedSizeBytes:                   "shared size bytes",
	FuncConstSizeBytes:                    "const size bytes",
	FuncLocalSizeBytes:                    "local size bytes",
	FuncNumRegs:                           "num regs",
	FuncPTXVersion:                        "ptx version",
	FuncBinaryVersion:                     "binary version",
	FuncCacheModeCa:                       "cache mode ca",
	FuncMaxDynamicSharedSizeBytes:         "max dynamic shared size bytes",
	FuncPreferredSharedMemoryCarveout:     "preferred shared memory carveout",
	FuncClusterSizeMustBeSet:              "cluster size must be set",
	FuncRequiredClusterWidth:              "required cluster width",
	FuncRequiredClusterHeight:             "required cluster height",
	FuncRequiredClusterDepth:              "required cluster depth",
	FuncNonPortableClusterSizeAllowed:     "non portable cluster size allowed",
	FuncClusterSchedulingPolicyPreference: "cluster scheduling policy preference",
}

// String is the attribute in words.
func (a FunctionAttribute) String() string {
	if s, ok := functionAttributeNames[a]; ok {
		return s
	}
	return "function attribute " + strconv.Itoa(int(a))
}
