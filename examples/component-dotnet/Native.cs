using System;
using System.Runtime.InteropServices;

/// <summary>What is called of wasmtime's C API (version 50). Sizes are those of 64 bits.</summary>
static class Native
{
    const string Library = "wasmtime";

    [DllImport(Library)] internal static extern IntPtr wasm_engine_new();
    [DllImport(Library)] internal static extern void wasm_engine_delete(IntPtr engine);
    [DllImport(Library)] internal static extern IntPtr wasmtime_store_new(IntPtr engine, IntPtr data, IntPtr finalizer);
    [DllImport(Library)] internal static extern IntPtr wasmtime_store_context(IntPtr store);
    [DllImport(Library)] internal static extern void wasmtime_store_delete(IntPtr store);
    [DllImport(Library)] internal static extern void wasmtime_error_message(IntPtr error, out Bytes message);
    [DllImport(Library)] internal static extern void wasmtime_error_delete(IntPtr error);
    [DllImport(Library)] internal static extern void wasm_byte_vec_new(IntPtr to, UIntPtr size, byte[] bytes);
    [DllImport(Library)] internal static extern void wasm_byte_vec_delete(ref Bytes bytes);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_new(IntPtr engine, byte[] bytes, UIntPtr size, out IntPtr component);
    [DllImport(Library)] internal static extern void wasmtime_component_delete(IntPtr component);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_linker_new(IntPtr engine);
    [DllImport(Library)] internal static extern void wasmtime_component_linker_delete(IntPtr linker);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_linker_instantiate(IntPtr linker, IntPtr context, IntPtr component, out Instance instance);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_instance_get_export_index(ref Instance instance, IntPtr context, IntPtr of, byte[] name, UIntPtr size);
    [DllImport(Library)] internal static extern void wasmtime_component_export_index_delete(IntPtr index);
    [DllImport(Library)] [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool wasmtime_component_instance_get_func(ref Instance instance, IntPtr context, IntPtr index, out Function function);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_func_call(ref Function function, IntPtr context, IntPtr arguments, UIntPtr count, IntPtr results, UIntPtr resultCount);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_func_type(ref Function function, IntPtr context);
    [DllImport(Library)] internal static extern void wasmtime_component_func_type_delete(IntPtr type);
    [DllImport(Library)] [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool wasmtime_component_func_type_result(IntPtr type, out Type result);
    [DllImport(Library)] internal static extern void wasmtime_component_valtype_delete(ref Type type);
    [DllImport(Library)] internal static extern void wasmtime_component_val_delete(IntPtr value);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_val_new(IntPtr value);
    [DllImport(Library)] internal static extern void wasmtime_component_vallist_new_uninit(IntPtr list, UIntPtr size);
    [DllImport(Library)] internal static extern void wasmtime_component_valrecord_new_uninit(IntPtr record, UIntPtr size);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_resource_any_clone(IntPtr resource);
    [DllImport(Library)] internal static extern IntPtr wasmtime_component_resource_any_drop(IntPtr context, IntPtr resource);
    [DllImport(Library)] internal static extern void wasmtime_component_resource_any_delete(IntPtr resource);

    [StructLayout(LayoutKind.Sequential)] internal struct Bytes { internal UIntPtr Size; internal IntPtr Data; }
    [StructLayout(LayoutKind.Sequential)] internal struct Type { ulong kind; IntPtr of; }
    [StructLayout(LayoutKind.Sequential)] internal struct Instance { ulong store; uint index; }
    [StructLayout(LayoutKind.Sequential)] internal struct Function { Instance of; uint one; IntPtr two; }
}
