/// Who a request comes from, and whether that user may do what it asks.
@NullMarked
package dev.towtank.apiserver.auth;

import org.jspecify.annotations.NullMarked;
