/// The kinds of External Secrets.
@NullMarked
package dev.towtank.controllers.secrets.api;

import org.jspecify.annotations.NullMarked;
