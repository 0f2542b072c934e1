using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>A record of the WIT file, with its members in their order there.</summary>
sealed class Record : List<KeyValuePair<string, object>>
{
    internal void Add(string name, object value) { Add(new KeyValuePair<string, object>(name, value)); }
}

/// <summary>An option: with a value, or without one (<c>None</c>).</summary>
sealed class Option
{
    internal static readonly Option None = new Option(null);
    internal readonly object Value;
    internal Option(object value) { Value = value; }
}

/// <summary>What a call failed with: the record <c>failure</c>.</summary>
sealed class Failure : Exception
{
    internal readonly Dictionary<string, object> Record;
    internal Failure(Dictionary<string, object> record) : base(record["code"] + ": " + record["message"]) { Record = record; }
}

/// <summary>A session, a compactor or a sweep inside the component.</summary>
sealed class Resource
{
    internal readonly IntPtr Handle;
    internal Resource(IntPtr handle) { Handle = handle; }
}

/// <summary>An instance with a memory of its own. One thread calls it at a time.</summary>
sealed class Component : IDisposable
{
    // A value is its kind and, eight bytes behind, what it holds; a member of a record is a name and a value.
    const int Value = 32, Held = 8, Member = 48, Name = 16;
    const byte Flag = 0, U32 = 6, U64 = 8, F64 = 10, Text = 12, List = 13, RecordKind = 14, Enum = 17, OptionKind = 18, Result = 19, ResourceKind = 21;

    readonly IntPtr engine, store, context, component, api;
    Native.Instance instance;

    internal Component(byte[] bytes)
    {
        engine = Native.wasm_engine_new();
        store = Native.wasmtime_store_new(engine, IntPtr.Zero, IntPtr.Zero);
        context = Native.wasmtime_store_context(store);
        Check(Native.wasmtime_component_new(engine, bytes, (UIntPtr)bytes.Length, out component));
        // It imports nothing, so there is nothing to link.
        var linker = Native.wasmtime_component_linker_new(engine);
        var failed = Native.wasmtime_component_linker_instantiate(linker, context, component, out instance);
        Native.wasmtime_component_linker_delete(linker);
        Check(failed);
        api = Export(IntPtr.Zero, "ebbline:engine/api@0.1.0");
        if (api == IntPtr.Zero) throw new InvalidOperationException("this is no component of ebbline:engine@0.1.0");
    }

    public void Dispose()
    {
        Native.wasmtime_component_export_index_delete(api);
        Native.wasmtime_component_delete(component);
        Native.wasmtime_store_delete(store);
        Native.wasm_engine_delete(engine);
    }

    internal void Drop(Resource resource)
    {
        var failed = Native.wasmtime_component_resource_any_drop(context, resource.Handle);
        Native.wasmtime_component_resource_any_delete(resource.Handle);
        Check(failed);
    }

    /// <summary>Calls a function by its name in the WIT file: "plan", "[static]session.open", "[method]session.push" with the
    /// resource first. A <c>result</c> is its value, or a <see cref="Failure"/>.</summary>
    internal object Call(string name, params object[] arguments)
    {
        var index = Export(api, name);
        if (index == IntPtr.Zero) throw new ArgumentException("there is no function " + name);
        Native.Function function;
        var found = Native.wasmtime_component_instance_get_func(ref instance, context, index, out function);
        Native.wasmtime_component_export_index_delete(index);
        if (!found) throw new ArgumentException(name + " is no function");
        IntPtr given = Zeroed(Value * (arguments.Length + 1)), returned = Zeroed(Value);
        var count = Results(ref function);
        try
        {
            for (var at = 0; at < arguments.Length; at++) Write(given + at * Value, arguments[at]);
            Check(Native.wasmtime_component_func_call(ref function, context, given, (UIntPtr)arguments.Length, returned, (UIntPtr)count));
            return count == 0 ? null : Read(returned);
        }
        finally
        {
            for (var at = 0; at < arguments.Length; at++) Native.wasmtime_component_val_delete(given + at * Value);
            Native.wasmtime_component_val_delete(returned);
            Marshal.FreeHGlobal(given);
            Marshal.FreeHGlobal(returned);
        }
    }

    /// <summary>How many values a function returns: one or none.</summary>
    int Results(ref Native.Function function)
    {
        var type = Native.wasmtime_component_func_type(ref function, context);
        Native.Type result;
        var isThere = Native.wasmtime_component_func_type_result(type, out result);
        if (isThere) Native.wasmtime_component_valtype_delete(ref result);
        Native.wasmtime_component_func_type_delete(type);
        return isThere ? 1 : 0;
    }

    IntPtr Export(IntPtr of, string name)
    {
        var bytes = Encoding.UTF8.GetBytes(name);
        return Native.wasmtime_component_instance_get_export_index(ref instance, context, of, bytes, (UIntPtr)bytes.Length);
    }

    /// <summary>Memory of zeros, which are the value <c>false</c>: nothing has to be given up for it.</summary>
    static IntPtr Zeroed(int size)
    {
        var memory = Marshal.AllocHGlobal(size);
        Marshal.Copy(new byte[size], 0, memory, size);
        return memory;
    }

    static void Write(IntPtr slot, object argument)
    {
        if (argument is bool)
        {
            Marshal.WriteByte(slot + Held, (bool)argument ? (byte)1 : (byte)0);
            Marshal.WriteByte(slot, Flag);
        }
        else if (argument is uint)
        {
            Marshal.WriteInt32(slot + Held, unchecked((int)(uint)argument));
            Marshal.WriteByte(slot, U32);
        }
        else if (argument is ulong)
        {
            Marshal.WriteInt64(slot + Held, unchecked((long)(ulong)argument));
            Marshal.WriteByte(slot, U64);
        }
        else if (argument is double)
        {
            Marshal.WriteInt64(slot + Held, BitConverter.DoubleToInt64Bits((double)argument));
            Marshal.WriteByte(slot, F64);
        }
        else if (argument is Array)
        {
            // Of numbers: nothing that is called takes another.
            var elements = (Array)argument;
            Native.wasmtime_component_vallist_new_uninit(slot + Held, (UIntPtr)elements.Length);
            Marshal.WriteByte(slot, List);
            var data = Marshal.ReadIntPtr(slot + Held + IntPtr.Size);
            Marshal.Copy(new byte[Value * elements.Length], 0, data, Value * elements.Length);
            for (var at = 0; at < elements.Length; at++) Write(data + at * Value, elements.GetValue(at));
        }
        else if (argument is string)
        {
            WriteText(slot + Held, (string)argument);
            Marshal.WriteByte(slot, Text);
        }
        else if (argument is Resource)
        {
            Marshal.WriteIntPtr(slot + Held, Native.wasmtime_component_resource_any_clone(((Resource)argument).Handle));
            Marshal.WriteByte(slot, ResourceKind);
        }
        else if (argument is Option)
        {
            var value = ((Option)argument).Value;
            var some = IntPtr.Zero;
            if (value != null)
            {
                // What `val_new` is given belongs to the option afterwards.
                var inner = Zeroed(Value);
                Write(inner, value);
                some = Native.wasmtime_component_val_new(inner);
                Marshal.FreeHGlobal(inner);
            }
            Marshal.WriteIntPtr(slot + Held, some);
            Marshal.WriteByte(slot, OptionKind);
        }
        else if (argument is Record)
        {
            var record = (Record)argument;
            Native.wasmtime_component_valrecord_new_uninit(slot + Held, (UIntPtr)record.Count);
            Marshal.WriteByte(slot, RecordKind);
            var members = Marshal.ReadIntPtr(slot + Held + IntPtr.Size);
            Marshal.Copy(new byte[Member * record.Count], 0, members, Member * record.Count);
            for (var at = 0; at < record.Count; at++)
            {
                WriteText(members + at * Member, record[at].Key);
                Write(members + at * Member + Name, record[at].Value);
            }
        }
        else throw new ArgumentException("a value of the type " + argument.GetType());
    }

    static void WriteText(IntPtr to, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        Native.wasm_byte_vec_new(to, (UIntPtr)bytes.Length, bytes);
    }

    static object Read(IntPtr slot)
    {
        switch (Marshal.ReadByte(slot))
        {
            case Flag: return Marshal.ReadByte(slot + Held) != 0;
            case U32: return unchecked((uint)Marshal.ReadInt32(slot + Held));
            case U64: return unchecked((ulong)Marshal.ReadInt64(slot + Held));
            case F64: return BitConverter.Int64BitsToDouble(Marshal.ReadInt64(slot + Held));
            case List:
                var list = new object[Marshal.ReadInt64(slot + Held)];
                var data = Marshal.ReadIntPtr(slot + Held + IntPtr.Size);
                for (var at = 0; at < list.Length; at++) list[at] = Read(data + at * Value);
                return list;
            case Text:
            case Enum: return ReadText(slot + Held);
            case ResourceKind: return new Resource(Native.wasmtime_component_resource_any_clone(Marshal.ReadIntPtr(slot + Held)));
            case OptionKind:
                var some = Marshal.ReadIntPtr(slot + Held);
                return some == IntPtr.Zero ? null : Read(some);
            case RecordKind:
                var record = new Dictionary<string, object>();
                var size = Marshal.ReadInt64(slot + Held);
                var members = Marshal.ReadIntPtr(slot + Held + IntPtr.Size);
                for (var at = 0; at < size; at++) record[ReadText(members + at * Member)] = Read(members + at * Member + Name);
                return record;
            case Result:
                var inner = Marshal.ReadIntPtr(slot + Held + IntPtr.Size);
                var value = inner == IntPtr.Zero ? null : Read(inner);
                if (Marshal.ReadByte(slot + Held) == 0) throw new Failure((Dictionary<string, object>)value);
                return value;
            default: throw new InvalidOperationException("a value of the kind " + Marshal.ReadByte(slot));
        }
    }

    static string ReadText(IntPtr from)
    {
        var bytes = new byte[Marshal.ReadInt64(from)];
        if (bytes.Length > 0) Marshal.Copy(Marshal.ReadIntPtr(from + IntPtr.Size), bytes, 0, bytes.Length);
        return Encoding.UTF8.GetString(bytes);
    }

    static void Check(IntPtr failed)
    {
        if (failed == IntPtr.Zero) return;
        Native.Bytes message;
        Native.wasmtime_error_message(failed, out message);
        var bytes = new byte[(int)message.Size];
        Marshal.Copy(message.Data, bytes, 0, bytes.Length);
        Native.wasm_byte_vec_delete(ref message);
        Native.wasmtime_error_delete(failed);
        throw new InvalidOperationException(Encoding.UTF8.GetString(bytes));
    }
}
