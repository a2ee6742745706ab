/// Keys, certificates and hashes of passwords that templates make: pure functions of their arguments, the time and the
/// chance that somebody passed in.
@NullMarked
package dev.towtank.model.template.crypto;

import org.jspecify.annotations.NullMarked;
