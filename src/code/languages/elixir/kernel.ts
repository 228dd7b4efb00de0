/**
 * Functions and macros that every module of Elixir has without an import. A project that imports others of these names
 * would have to leave them out first.
 */
export const kernel: ReadonlySet<string> = new Set(
  `abs alias! apply binary_part binary_slice binding bit_size byte_size ceil dbg def defdelegate defexception defguard
   defguardp defimpl defmacro defmacrop defmodule defoverridable defp defprotocol defstruct destructure div elem exit floor
   function_exported? get_and_update_in get_in hd if inspect is_atom is_binary is_bitstring is_boolean is_exception is_float
   is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple length
   macro_exported? make_ref map_size match? max min node pop_in put_elem put_in raise rem reraise round self send spawn
   spawn_link spawn_monitor struct struct! tap then throw tl to_charlist to_string trunc tuple_size unless update_in use
   var!`.split(/\s+/),
)
