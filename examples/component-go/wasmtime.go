package main

/*
#cgo LDFLAGS: -lwasmtime
#include <stdlib.h>
#include <string.h>
#include <wasm.h>
#include <wasmtime.h>

typedef wasmtime_component_val_t val;

static val *values(size_t count) { return calloc(count, sizeof(val)); }
static val *value(val *all, size_t at) { return &all[at]; }
static void set_flag(val *to, bool flag) { to->kind = WASMTIME_COMPONENT_BOOL; to->of.boolean = flag; }
static void set_u32(val *to, uint32_t number) { to->kind = WASMTIME_COMPONENT_U32; to->of.u32 = number; }
static void set_u64(val *to, uint64_t number) { to->kind = WASMTIME_COMPONENT_U64; to->of.u64 = number; }
static void set_f64(val *to, double number) { to->kind = WASMTIME_COMPONENT_F64; to->of.f64 = number; }
static void set_list(val *to, size_t elements) {
	to->kind = WASMTIME_COMPONENT_LIST;
	wasmtime_component_vallist_new_uninit(&to->of.list, elements);
	memset(to->of.list.data, 0, elements * sizeof(val));
}
static void set_text(val *to, const char *text, size_t length) {
	to->kind = WASMTIME_COMPONENT_STRING;
	wasm_byte_vec_new(&to->of.string, length, text);
}
static void set_resource(val *to, wasmtime_component_resource_any_t *resource) {
	to->kind = WASMTIME_COMPONENT_RESOURCE;
	to->of.resource = wasmtime_component_resource_any_clone(resource);
}
static void set_option(val *to, val *some) {
	to->kind = WASMTIME_COMPONENT_OPTION;
	to->of.option = some == NULL ? NULL : wasmtime_component_val_new(some);
}
static void set_record(val *to, size_t members) {
	to->kind = WASMTIME_COMPONENT_RECORD;
	wasmtime_component_valrecord_new_uninit(&to->of.record, members);
	memset(to->of.record.data, 0, members * sizeof(wasmtime_component_valrecord_entry_t));
}
static val *set_member(val *record, size_t at, const char *name, size_t length) {
	wasmtime_component_valrecord_entry_t *entry = &record->of.record.data[at];
	wasm_byte_vec_new(&entry->name, length, name);
	return &entry->val;
}
static size_t results(const wasmtime_component_func_t *function, wasmtime_context_t *context) {
	wasmtime_component_func_type_t *type = wasmtime_component_func_type(function, context);
	wasmtime_component_valtype_t result;
	bool is_there = wasmtime_component_func_type_result(type, &result);
	if (is_there) wasmtime_component_valtype_delete(&result);
	wasmtime_component_func_type_delete(type);
	return is_there ? 1 : 0;
}
static bool is_ok(val *of) { return of->of.result.is_ok; }
static val *of_result(val *of) { return of->of.result.val; }
static val *of_option(val *of) { return of->of.option; }
static bool of_flag(val *of) { return of->of.boolean; }
static uint32_t of_u32(val *of) { return of->of.u32; }
static uint64_t of_u64(val *of) { return of->of.u64; }
static double of_f64(val *of) { return of->of.f64; }
static size_t size_of_list(val *of) { return of->of.list.size; }
static val *element(val *of, size_t at) { return &of->of.list.data[at]; }
static wasm_name_t of_text(val *of) { return of->of.string; }
static size_t size_of_record(val *of) { return of->of.record.size; }
static wasmtime_component_valrecord_entry_t *member(val *of, size_t at) { return &of->of.record.data[at]; }
static wasmtime_component_resource_any_t *of_resource(val *of) {
	return wasmtime_component_resource_any_clone(of->of.resource);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Member is one of a record, which has them in the order of the WIT file.
type Member struct {
	Name  string
	Value any
}

// None is an option without a value; any other value for an option is inside Some.
type None struct{}

// Some is an option with a value.
type Some struct{ Value any }

// Failure is what a call failed with: the members of the record `failure`.
type Failure map[string]any

func (failure Failure) Error() string {
	return fmt.Sprintf("%v: %v", failure["code"], failure["message"])
}

// Resource is a session, a compactor or a sweep inside the component.
type Resource struct {
	handle *C.wasmtime_component_resource_any_t
}

// Component is an instance with a memory of its own. One goroutine calls it at a time.
type Component struct {
	engine    *C.wasm_engine_t
	store     *C.wasmtime_store_t
	component *C.wasmtime_component_t
	instance  C.wasmtime_component_instance_t
	api       *C.wasmtime_component_export_index_t
}

// Drop gives up a resource.
func (component *Component) Drop(resource *Resource) error {
	defer C.wasmtime_component_resource_any_delete(resource.handle)
	return told(C.wasmtime_component_resource_any_drop(component.context(), resource.handle))
}

// Close gives up the component and all its resources.
func (component *Component) Close() {
	if component.api != nil {
		C.wasmtime_component_export_index_delete(component.api)
	}
	if component.component != nil {
		C.wasmtime_component_delete(component.component)
	}
	C.wasmtime_store_delete(component.store)
	C.wasm_engine_delete(component.engine)
}

// Version is that of wasmtime.
func Version() string { return C.WASMTIME_VERSION }

func told(failed *C.wasmtime_error_t) error {
	if failed == nil {
		return nil
	}
	defer C.wasmtime_error_delete(failed)
	var message C.wasm_name_t
	C.wasmtime_error_message(failed, &message)
	defer C.wasm_byte_vec_delete(&message)
	return errors.New(text(message))
}

func text(bytes C.wasm_name_t) string { return C.GoStringN(bytes.data, C.int(bytes.size)) }

// Load compiles a component and makes an instance of it. It imports nothing, so there is nothing to link.
func Load(bytes []byte) (*Component, error) {
	loaded := &Component{engine: C.wasm_engine_new()}
	loaded.store = C.wasmtime_store_new(loaded.engine, nil, nil)
	code := C.CBytes(bytes)
	defer C.free(code)
	failed := C.wasmtime_component_new(loaded.engine, (*C.uint8_t)(code), C.size_t(len(bytes)), &loaded.component)
	if err := told(failed); err != nil {
		loaded.Close()
		return nil, err
	}
	linker := C.wasmtime_component_linker_new(loaded.engine)
	defer C.wasmtime_component_linker_delete(linker)
	failed = C.wasmtime_component_linker_instantiate(linker, loaded.context(), loaded.component, &loaded.instance)
	if err := told(failed); err != nil {
		loaded.Close()
		return nil, err
	}
	loaded.api = loaded.export(nil, "ebbline:engine/api@0.1.0")
	if loaded.api == nil {
		loaded.Close()
		return nil, errors.New("this is no component of ebbline:engine@0.1.0")
	}
	return loaded, nil
}

func (component *Component) context() *C.wasmtime_context_t {
	return C.wasmtime_store_context(component.store)
}

func (component *Component) export(of *C.wasmtime_component_export_index_t, name string) *C.wasmtime_component_export_index_t {
	word := C.CString(name)
	defer C.free(unsafe.Pointer(word))
	return C.wasmtime_component_instance_get_export_index(&component.instance, component.context(), of, word, C.size_t(len(name)))
}

// Call calls a function by its name in the WIT file: "plan", "[static]session.open", "[method]session.push" with the
// resource first. A `result` is its value, or a Failure.
func (component *Component) Call(name string, arguments ...any) (any, error) {
	index := component.export(component.api, name)
	if index == nil {
		return nil, fmt.Errorf("there is no function %q", name)
	}
	defer C.wasmtime_component_export_index_delete(index)
	var function C.wasmtime_component_func_t
	if !C.wasmtime_component_instance_get_func(&component.instance, component.context(), index, &function) {
		return nil, fmt.Errorf("%q is no function", name)
	}
	given := C.values(C.size_t(len(arguments) + 1))
	defer C.free(unsafe.Pointer(given))
	for at, argument := range arguments {
		slot := C.value(given, C.size_t(at))
		defer C.wasmtime_component_val_delete(slot)
		if err := write(slot, argument); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	returned := C.values(1)
	defer C.free(unsafe.Pointer(returned))
	count := C.results(&function, component.context())
	failed := C.wasmtime_component_func_call(&function, component.context(), given, C.size_t(len(arguments)), returned, count)
	if err := told(failed); err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, nil
	}
	defer C.wasmtime_component_val_delete(returned)
	return read(returned)
}

func write(slot *C.val, argument any) error {
	switch argument := argument.(type) {
	case bool:
		C.set_flag(slot, C.bool(argument))
	case uint32:
		C.set_u32(slot, C.uint32_t(argument))
	case uint64:
		C.set_u64(slot, C.uint64_t(argument))
	case string:
		bytes := C.CString(argument)
		defer C.free(unsafe.Pointer(bytes))
		C.set_text(slot, bytes, C.size_t(len(argument)))
	case float64:
		C.set_f64(slot, C.double(argument))
	case []uint32:
		return writeList(slot, argument)
	case []float64:
		return writeList(slot, argument)
	case *Resource:
		C.set_resource(slot, argument.handle)
	case None:
		C.set_option(slot, nil)
	case Some:
		// What `set_option` is given belongs to the option afterwards.
		inner := C.values(1)
		defer C.free(unsafe.Pointer(inner))
		if err := write(inner, argument.Value); err != nil {
			return err
		}
		C.set_option(slot, inner)
	case []Member:
		C.set_record(slot, C.size_t(len(argument)))
		for at, member := range argument {
			name := C.CString(member.Name)
			inner := C.set_member(slot, C.size_t(at), name, C.size_t(len(member.Name)))
			C.free(unsafe.Pointer(name))
			if err := write(inner, member.Value); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a value of the type %T", argument)
	}
	return nil
}

func writeList[T any](slot *C.val, elements []T) error {
	C.set_list(slot, C.size_t(len(elements)))
	for at, element := range elements {
		if err := write(C.element(slot, C.size_t(at)), element); err != nil {
			return err
		}
	}
	return nil
}

func read(slot *C.val) (any, error) {
	switch slot.kind {
	case C.WASMTIME_COMPONENT_BOOL:
		return bool(C.of_flag(slot)), nil
	case C.WASMTIME_COMPONENT_U32:
		return uint32(C.of_u32(slot)), nil
	case C.WASMTIME_COMPONENT_U64:
		return uint64(C.of_u64(slot)), nil
	case C.WASMTIME_COMPONENT_F64:
		return float64(C.of_f64(slot)), nil
	case C.WASMTIME_COMPONENT_LIST:
		list := []any{}
		for at := C.size_t(0); at < C.size_of_list(slot); at++ {
			element, err := read(C.element(slot, at))
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		return list, nil
	case C.WASMTIME_COMPONENT_STRING, C.WASMTIME_COMPONENT_ENUM:
		return text(C.of_text(slot)), nil
	case C.WASMTIME_COMPONENT_RESOURCE:
		return &Resource{handle: C.of_resource(slot)}, nil
	case C.WASMTIME_COMPONENT_OPTION:
		inner := C.of_option(slot)
		if inner == nil {
			return nil, nil
		}
		return read(inner)
	case C.WASMTIME_COMPONENT_RECORD:
		record := map[string]any{}
		for at := C.size_t(0); at < C.size_of_record(slot); at++ {
			member := C.member(slot, at)
			value, err := read(&member.val)
			if err != nil {
				return nil, err
			}
			record[text(member.name)] = value
		}
		return record, nil
	case C.WASMTIME_COMPONENT_RESULT:
		inner := C.of_result(slot)
		if inner == nil {
			return nil, nil
		}
		value, err := read(inner)
		if record, ok := value.(map[string]any); ok && err == nil && !bool(C.is_ok(slot)) {
			return nil, Failure(record)
		}
		return value, err
	}
	return nil, fmt.Errorf("a value of the kind %d", slot.kind)
}
