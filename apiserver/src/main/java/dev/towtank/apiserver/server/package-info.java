/// The API server put together: store, rules, upkeep and HTTP, by plain constructors.
@NullMarked
package dev.towtank.apiserver.server;

import org.jspecify.annotations.NullMarked;
