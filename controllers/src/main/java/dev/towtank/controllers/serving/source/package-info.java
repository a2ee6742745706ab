/// What listens for requests and passes them on to models.
@NullMarked
package dev.towtank.controllers.serving.source;

import org.jspecify.annotations.NullMarked;
