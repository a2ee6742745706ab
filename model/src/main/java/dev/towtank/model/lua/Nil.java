package dev.towtank.model.lua;

/// Lua's `nil`. A value of its own, so that Java's null never travels through a script.
///
/// The other values are [Boolean], [Double], [String] (a character for each byte, see [Bytes]), [LuaTable] and
/// [LuaFunction].
enum Nil {
    NIL
}
