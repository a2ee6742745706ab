/// A Kubernetes for every test, in milliseconds: see [Towtank].
///
/// One server runs in the test's own JVM, and every test gets a logical cluster of it, so that no test sees
/// what another has made.
@NullMarked
package dev.towtank.junit;

import org.jspecify.annotations.NullMarked;
