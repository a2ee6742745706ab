/// The kinds of the core group (`v1`): one class a kind, with its rules and its columns.
@NullMarked
package dev.towtank.model.kinds.core;

import org.jspecify.annotations.NullMarked;
