package driver

import "strconv"

// An Attribute is a fact about a device, a whole number: see [Device.Attribute].
// Sizes are in bytes, clock rates in kHz, yes and no are 1 and 0.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html
type Attribute int32

// The attributes that the driver documents.
const (
	MaxThreadsPerBlock                       Attribute = 1   // CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK
	MaxBlockDimX                             Attribute = 2   // CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X
	MaxBlockDimY                             Attribute = 3   // CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y
	MaxBlockDimZ                             Attribute = 4   // CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z
	MaxGridDimX                              Attribute = 5   // CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X
	MaxGridDimY                              Attribute = 6   // CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y
	MaxGridDimZ                              Attribute = 7   // CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z
	MaxSharedMemoryPerBlock                  Attribute = 8   // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK
	TotalConstantMemory                      Attribute = 9   // CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY
	WarpSize                                 Attribute = 10  // CU_DEVICE_ATTRIBUTE_WARP_SIZE
	MaxPitch                                 Attribute = 11  // CU_DEVICE_ATTRIBUTE_MAX_PITCH
	MaxRegistersPerBlock                     Attribute = 12  // CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK
	ClockRate                                Attribute = 13  // CU_DEVICE_ATTRIBUTE_CLOCK_RATE
	TextureAlignment                         Attribute = 14  // CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT
	GPUOverlap                               Attribute = 15  // CU_DEVICE_ATTRIBUTE_GPU_OVERLAP
	MultiprocessorCount                      Attribute = 16  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
	KernelExecTimeout                        Attribute = 17  // CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT
	Integrated                               Attribute = 18  // CU_DEVICE_ATTRIBUTE_INTEGRATED
	CanMapHostMemory                         Attribute = 19  // CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY
	ComputeMode                              Attribute = 20  // CU_DEVICE_ATTRIBUTE_COMPUTE_MODE
	MaximumTexture1DWidth                    Attribute = 21  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH
	MaximumTexture2DWidth                    Attribute = 22  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH
	MaximumTexture2DHeight                   Attribute = 23  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT
	MaximumTexture3DWidth                    Attribute = 24  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH
	MaximumTexture3DHeight                   Attribute = 25  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT
	MaximumTexture3DDepth                    Attribute = 26  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH
	MaximumTexture2DLayeredWidth             Attribute = 27  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
	MaximumTexture2DLayeredHeight            Attribute = 28  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
	MaximumTexture2DLayeredLayers            Attribute = 29  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
	SurfaceAlignment                         Attribute = 30  // CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT
	ConcurrentKernels                        Attribute = 31  // CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS
	ECCEnabled                               Attribute = 32  // CU_DEVICE_ATTRIBUTE_ECC_ENABLED
	PCIBusID                                 Attribute = 33  // CU_DEVICE_ATTRIBUTE_PCI_BUS_ID
	PCIDeviceID                              Attribute = 34  // CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID
	TCCDriver                                Attribute = 35  // CU_DEVICE_ATTRIBUTE_TCC_DRIVER
	MemoryClockRate                          Attribute = 36  // CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE
	GlobalMemoryBusWidth                     Attribute = 37  // CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH
	L2CacheSize                              Attribute = 38  // CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
	MaxThreadsPerMultiprocessor              Attribute = 39  // CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR
	AsyncEngineCount                         Attribute = 40  // CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT
	UnifiedAddressing                        Attribute = 41  // CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING
	MaximumTexture1DLayeredWidth             Attribute = 42  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH
	MaximumTexture1DLayeredLayers            Attribute = 43  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS
	CanTex2DGather                           Attribute = 44  // CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER
	MaximumTexture2DGatherWidth              Attribute = 45  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH
	MaximumTexture2DGatherHeight             Attribute = 46  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT
	MaximumTexture3DWidthAlternate           Attribute = 47  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE
	MaximumTexture3DHeightAlternate          Attribute = 48  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE
	MaximumTexture3DDepthAlternate           Attribute = 49  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE
	PCIDomainID                              Attribute = 50  // CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID
	TexturePitchAlignment                    Attribute = 51  // CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT
	MaximumTextureCubemapWidth               Attribute = 52  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
	MaximumTextureCubemapLayeredWidth        Attribute = 53  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
	MaximumTextureCubemapLayeredLayers       Attribute = 54  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
	MaximumSurface1DWidth                    Attribute = 55  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH
	MaximumSurface2DWidth                    Attribute = 56  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH
	MaximumSurface2DHeight                   Attribute = 57  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT
	MaximumSurface3DWidth                    Attribute = 58  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH
	MaximumSurface3DHeight                   Attribute = 59  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT
	MaximumSurface3DDepth                    Attribute = 60  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH
	MaximumSurface1DLayeredWidth             Attribute = 61  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH
	MaximumSurface1DLayeredLayers            Attribute = 62  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS
	MaximumSurface2DLayeredWidth             Attribute = 63  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH
	MaximumSurface2DLayeredHeight            Attribute = 64  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT
	MaximumSurface2DLayeredLayers            Attribute = 65  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS
	MaximumSurfaceCubemapWidth               Attribute = 66  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH
	MaximumSurfaceCubemapLayeredWidth        Attribute = 67  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH
	MaximumSurfaceCubemapLayeredLayers       Attribute = 68  // CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS
	MaximumTexture1DLinearWidth              Attribute = 69  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH
	MaximumTexture2DLinearWidth              Attribute = 70  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH
	MaximumTexture2DLinearHeight             Attribute = 71  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT
	MaximumTexture2DLinearPitch              Attribute = 72  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH
	MaximumTexture2DMipmappedWidth           Attribute = 73  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH
	MaximumTexture2DMipmappedHeight          Attribute = 74  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT
	ComputeCapabilityMajor                   Attribute = 75  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
	ComputeCapabilityMinor                   Attribute = 76  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
	MaximumTexture1DMipmappedWidth           Attribute = 77  // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH
	StreamPrioritiesSupported                Attribute = 78  // CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED
	GlobalL1CacheSupported                   Attribute = 79  // CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED
	LocalL1CacheSupported                    Attribute = 80  // CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED
	MaxSharedMemoryPerMultiprocessor         Attribute = 81  // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
	MaxRegistersPerMultiprocessor            Attribute = 82  // CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR
	ManagedMemory                            Attribute = 83  // CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY
	MultiGPUBoard                            Attribute = 84  // CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD
	MultiGPUBoardGroupID                     Attribute = 85  // CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID
	HostNativeAtomicSupported                Attribute = 86  // CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED
	SingleToDoublePrecisionPerfRatio         Attribute = 87  // CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
	PageableMemoryAccess                     Attribute = 88  // CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS
	ConcurrentManagedAccess                  Attribute = 89  // CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
	ComputePreemptionSupported               Attribute = 90  // CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED
	CanUseHostPointerForRegisteredMemory     Attribute = 91  // CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
	CanUseStreamMemoryOpsV1                  Attribute = 92  // CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1
	CanUse64BitStreamMemoryOpsV1             Attribute = 93  // CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1
	CanUseStreamWaitValueNORV1               Attribute = 94  // CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1
	CooperativeLaunch                        Attribute = 95  // CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH
	CooperativeMultiDeviceLaunch             Attribute = 96  // CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH
	MaxSharedMemoryPerBlockOptIn             Attribute = 97  // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
	CanFlushRemoteWrites                     Attribute = 98  // CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES
	HostRegisterSupported                    Attribute = 99  // CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED
	PageableMemoryAccessUsesHostPageTables   Attribute = 100 // CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES
	DirectManagedMemoryAccessFromHost        Attribute = 101 // CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
	VirtualMemoryManagementSupported         Attribute = 102 // CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
	HandleTypePOSIXFileDescriptorSupported   Attribute = 103 // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
	HandleTypeWin32HandleSupported           Attribute = 104 // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED
	HandleTypeWin32KMTHandleSupported        Attribute = 105 // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED
	MaxBlocksPerMultiprocessor               Attribute = 106 // CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR
	GenericCompressionSupported              Attribute = 107 // CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED
	MaxPersistingL2CacheSize                 Attribute = 108 // CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE
	MaxAccessPolicyWindowSize                Attribute = 109 // CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE
	GPUDirectRDMAWithCUDAVMMSupported        Attribute = 110 // CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED
	ReservedSharedMemoryPerBlock             Attribute = 111 // CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK
	SparseCUDAArraySupported                 Attribute = 112 // CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED
	ReadOnlyHostRegisterSupported            Attribute = 113 // CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED
	TimelineSemaphoreInteropSupported        Attribute = 114 // CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED
	MemoryPoolsSupported                     Attribute = 115 // CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
	GPUDirectRDMASupported                   Attribute = 116 // CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED
	GPUDirectRDMAFlushWritesOptions          Attribute = 117 // CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS
	GPUDirectRDMAWritesOrdering              Attribute = 118 // CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING
	MemoryPoolSupportedHandleTypes           Attribute = 119 // CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES
	ClusterLaunch                            Attribute = 120 // CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH
	DeferredMappingCUDAArraySupported        Attribute = 121 // CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED
	CanUse64BitStreamMemoryOps               Attribute = 122 // CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS
	CanUseStreamWaitValueNOR                 Attribute = 123 // CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR
	DMABufSupported                          Attribute = 124 // CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED
	IPCEventSupported                        Attribute = 125 // CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED
	MemorySyncDomainCount                    Attribute = 126 // CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT
	TensorMapAccessSupported                 Attribute = 127 // CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED
	HandleTypeFabricSupported                Attribute = 128 // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED
	UnifiedFunctionPointers                  Attribute = 129 // CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS
	NUMAConfig                               Attribute = 130 // CU_DEVICE_ATTRIBUTE_NUMA_CONFIG
	NUMAID                                   Attribute = 131 // CU_DEVICE_ATTRIBUTE_NUMA_ID
	MulticastSupported                       Attribute = 132 // CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
	MPSEnabled                               Attribute = 133 // CU_DEVICE_ATTRIBUTE_MPS_ENABLED
	HostNUMAID                               Attribute = 134 // CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID
	D3D12CIGSupported                        Attribute = 135 // CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED
	MemoryDecompressAlgorithmMask            Attribute = 136 // CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK
	MemoryDecompressMaximumLength            Attribute = 137 // CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH
	VulkanCIGSupported                       Attribute = 138 // CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED
	GPUPCIDeviceID                           Attribute = 139 // CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID
	GPUPCISubsystemID                        Attribute = 140 // CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID
	HostNUMAVirtualMemoryManagementSupported Attribute = 141 // CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
	HostNUMAMemoryPoolsSupported             Attribute = 142 // CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED
	HostNUMAMultinodeIPCSupported            Attribute = 143 // CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED
	HostMemoryPoolsSupported                 Attribute = 144 // CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED
	HostVirtualMemoryManagementSupported     Attribute = 145 // CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
	HostAllocDMABufSupported                 Attribute = 146 // CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED
	OnlyPartialHostNativeAtomicSupported     Attribute = 147 // CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED
	AtomicReductionSupported                 Attribute = 148 // CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED
)

var attributeNames = map[Attribute]string{
	MaxThreadsPerBlock:                       "max threads per block",
	MaxBlockDimX:                             "max block dim x",
	MaxBlockDimY:                             "max block dim y",
	MaxBlockDimZ:                             "max block dim z",
	MaxGridDimX:                              "max grid dim x",
	MaxGridDimY:                              "max grid dim y",
	MaxGridDimZ:                              "max grid dim z",
	MaxSharedMemoryPerBlock:                  "max shared memory per block",
	TotalConstantMemory:                      "total constant memory",
	WarpSize:                                 "warp size",
	MaxPitch:                                 "max pitch",
	MaxRegistersPerBlock:                     "max registers per block",
	ClockRate:                                "clock rate",
	TextureAlignment:                         "texture alignment",
	GPUOverlap:                               "gpu overlap",
	MultiprocessorCount:                      "multiprocessor count",
	KernelExecTimeout:                        "kernel exec timeout",
	Integrated:                               "integrated",
	CanMapHostMemory:                         "can map host memory",
	ComputeMode:                              "compute mode",
	MaximumTexture1DWidth:                    "maximum texture1d width",
	MaximumTexture2DWidth:                    "maximum texture2d width",
	MaximumTexture2DHeight:                   "maximum texture2d height",
	MaximumTexture3DWidth:                    "maximum texture3d width",
	MaximumTexture3DHeight:                   "maximum texture3d height",
	MaximumTexture3DDepth:                    "maximum texture3d depth",
	MaximumTexture2DLayeredWidth:             "maximum texture2d layered width",
	MaximumTexture2DLayeredHeight:            "maximum texture2d layered height",
	MaximumTexture2DLayeredLayers:            "maximum texture2d layered layers",
	SurfaceAlignment:                         "surface alignment",
	ConcurrentKernels:                        "concurrent kernels",
	ECCEnabled:                               "ecc enabled",
	PCIBusID:                                 "pci bus id",
	PCIDeviceID:                              "pci device id",
	TCCDriver:                                "tcc driver",
	MemoryClockRate:                          "memory clock rate",
	GlobalMemoryBusWidth:                     "global memory bus width",
	L2CacheSize:                              "l2 cache size",
	MaxThreadsPerMultiprocessor:              "max threads per multiprocessor",
	AsyncEngineCount:                         "async engine count",
	UnifiedAddressing:                        "unified addressing",
	MaximumTexture1DLayeredWidth:             "maximum texture1d layered width",
	MaximumTexture1DLayeredLayers:            "maximum texture1d layered layers",
	CanTex2DGather:                           "can tex2d gather",
	MaximumTexture2DGatherWidth:              "maximum texture2d gather width",
	MaximumTexture2DGatherHeight:             "maximum texture2d gather height",
	MaximumTexture3DWidthAlternate:           "maximum texture3d width alternate",
	MaximumTexture3DHeightAlternate:          "maximum texture3d height alternate",
	MaximumTexture3DDepthAlternate:           "maximum texture3d depth alternate",
	PCIDomainID:                              "pci domain id",
	TexturePitchAlignment:                    "texture pitch alignment",
	MaximumTextureCubemapWidth:               "maximum texturecubemap width",
	MaximumTextureCubemapLayeredWidth:        "maximum texturecubemap layered width",
	MaximumTextureCubemapLayeredLayers:       "maximum texturecubemap layered layers",
	MaximumSurface1DWidth:                    "maximum surface1d width",
	MaximumSurface2DWidth:                    "maximum surface2d width",
	MaximumSurface2DHeight:                   "maximum surface2d height",
	MaximumSurface3DWidth:                    "maximum surface3d width",
	MaximumSurface3DHeight:                   "maximum surface3d height",
	MaximumSurface3DDepth:                    "maximum surface3d depth",
	MaximumSurface1DLayeredWidth:             "maximum surface1d layered width",
	MaximumSurface1DLayeredLayers:            "maximum surface1d layered layers",
	MaximumSurface2DLayeredWidth:             "maximum surface2d layered width",
	MaximumSurface2DLayeredHeight:            "maximum surface2d layered height",
	MaximumSurface2DLayeredLayers:            "maximum surface2d layered layers",
	MaximumSurfaceCubemapWidth:               "maximum surfacecubemap width",
	MaximumSurfaceCubemapLayeredWidth:        "maximum surfacecubemap layered width",
	MaximumSurfaceCubemapLayeredLayers:       "maximum surfacecubemap layered layers",
	MaximumTexture1DLinearWidth:              "maximum texture1d linear width",
	MaximumTexture2DLinearWidth:              "maximum texture2d linear width",
	MaximumTexture2DLinearHeight:             "maximum texture2d linear height",
	MaximumTexture2DLinearPitch:              "maximum texture2d linear pitch",
	MaximumTexture2DMipmappedWidth:           "maximum texture2d mipmapped width",
	MaximumTexture2DMipmappedHeight:          "maximum texture2d mipmapped height",
	ComputeCapabilityMajor:                   "compute capability major",
	ComputeCapabilityMinor:                   "compute capability minor",
	MaximumTexture1DMipmappedWidth:           "maximum texture1d mipmapped width",
	StreamPrioritiesSupported:                "stream priorities supported",
	GlobalL1CacheSupported:                   "global l1 cache supported",
	LocalL1CacheSupported:                    "local l1 cache supported",
	MaxSharedMemoryPerMultiprocessor:         "max shared memory per multiprocessor",
	MaxRegistersPerMultiprocessor:            "max registers per multiprocessor",
	ManagedMemory:                            "managed memory",
	MultiGPUBoard:                            "multi gpu board",
	MultiGPUBoardGroupID:                     "multi gpu board group id",
	HostNativeAtomicSupported:                "host native atomic supported",
	SingleToDoublePrecisionPerfRatio:         "single to double precision perf ratio",
	PageableMemoryAccess:                     "pageable memory access",
	ConcurrentManagedAccess:                  "concurrent managed access",
	ComputePreemptionSupported:               "compute preemption supported",
	CanUseHostPointerForRegisteredMemory:     "can use host pointer for registered mem",
	CanUseStreamMemoryOpsV1:                  "can use stream mem ops v1",
	CanUse64BitStreamMemoryOpsV1:             "can use 64 bit stream mem ops v1",
	CanUseStreamWaitValueNORV1:               "can use stream wait value nor v1",
	CooperativeLaunch:                        "cooperative launch",
	CooperativeMultiDeviceLaunch:             "cooperative multi device launch",
	MaxSharedMemoryPerBlockOptIn:             "max shared memory per block opt-in",
	CanFlushRemoteWrites:                     "can flush remote writes",
	HostRegisterSupported:                    "host register supported",
	PageableMemoryAccessUsesHostPageTables:   "pageable memory access uses host page tables",
	DirectManagedMemoryAccessFromHost:        "direct managed mem access from host",
	VirtualMemoryManagementSupported:         "virtual memory management supported",
	HandleTypePOSIXFileDescriptorSupported:   "handle type posix file descriptor supported",
	HandleTypeWin32HandleSupported:           "handle type win32 handle supported",
	HandleTypeWin32KMTHandleSupported:        "handle type win32 kmt handle supported",
	MaxBlocksPerMultiprocessor:               "max blocks per multiprocessor",
	GenericCompressionSupported:              "generic compression supported",
	MaxPersistingL2CacheSize:                 "max persisting l2 cache size",
	MaxAccessPolicyWindowSize:                "max access policy window size",
	GPUDirectRDMAWithCUDAVMMSupported:        "gpu direct rdma with cuda vmm supported",
	ReservedSharedMemoryPerBlock:             "reserved shared memory per block",
	SparseCUDAArraySupported:                 "sparse cuda array supported",
	ReadOnlyHostRegisterSupported:            "read only host register supported",
	TimelineSemaphoreInteropSupported:        "timeline semaphore interop supported",
	MemoryPoolsSupported:                     "memory pools supported",
	GPUDirectRDMASupported:                   "gpu direct rdma supported",
	GPUDirectRDMAFlushWritesOptions:          "gpu direct rdma flush writes options",
	GPUDirectRDMAWritesOrdering:              "gpu direct rdma writes ordering",
	MemoryPoolSupportedHandleTypes:           "mempool supported handle types",
	ClusterLaunch:                            "cluster launch",
	DeferredMappingCUDAArraySupported:        "deferred mapping cuda array supported",
	CanUse64BitStreamMemoryOps:               "can use 64 bit stream mem ops",
	CanUseStreamWaitValueNOR:                 "can use stream wait value nor",
	DMABufSupported:                          "dma buf supported",
	IPCEventSupported:                        "ipc event supported",
	MemorySyncDomainCount:                    "mem sync domain count",
	TensorMapAccessSupported:                 "tensor map access supported",
	HandleTypeFabricSupported:                "handle type fabric supported",
	UnifiedFunctionPointers:                  "unified function pointers",
	NUMAConfig:                               "numa config",
	NUMAID:                                   "numa id",
	MulticastSupported:                       "multicast supported",
	MPSEnabled:                               "mps enabled",
	HostNUMAID:                               "host numa id",
	D3D12CIGSupported:                        "d3d12 cig supported",
	MemoryDecompressAlgorithmMask:            "mem decompress algorithm mask",
	MemoryDecompressMaximumLength:            "mem decompress maximum length",
	VulkanCIGSupported:                       "vulkan cig supported",
	GPUPCIDeviceID:                           "gpu pci device id",
	GPUPCISubsystemID:                        "gpu pci subsystem id",
	HostNUMAVirtualMemoryManagementSupported: "host numa virtual memory management supported",
	HostNUMAMemoryPoolsSupported:             "host numa memory pools supported",
	HostNUMAMultinodeIPCSupported:            "host numa multinode ipc supported",
	HostMemoryPoolsSupported:                 "host memory pools supported",
	HostVirtualMemoryManagementSupported:     "host virtual memory management supported",
	HostAllocDMABufSupported:                 "host alloc dma buf supported",
	OnlyPartialHostNativeAtomicSupported:     "only partial host native atomic supported",
	AtomicReductionSupported:                 "atomic reduction supported",
}

// String is the attribute in words.
func (a Attribute) String() string {
	if s, ok := attributeNames[a]; ok {
		return s
	}
	return "attribute " + strconv.Itoa(int(a))
}

// Attributes lists the attributes that this package knows, in the order of their
// numbers.
func Attributes() []Attribute {
	all := make([]Attribute, 0, len(attributeNames))
	for a := Attribute(0); len(all) < len(attributeNames); a++ {
		if _, ok := attributeNames[a]; ok {
			all = append(all, a)
		}
	}
	return all
}
