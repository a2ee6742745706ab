/// Calls to servers of users, which look at objects or change them on our behalf: bounded in time and size, over TLS
/// only.
@NullMarked
package dev.towtank.apiserver.webhook;

import org.jspecify.annotations.NullMarked;
