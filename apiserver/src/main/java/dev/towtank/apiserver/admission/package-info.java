/// What may be written, beyond what a kind's own rules say: namespaces, quotas, limits, service accounts.
@NullMarked
package dev.towtank.apiserver.admission;

import org.jspecify.annotations.NullMarked;
