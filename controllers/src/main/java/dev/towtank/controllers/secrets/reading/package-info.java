/// From the references of an ExternalSecret to keys and values, by whatever provider a store names.
@NullMarked
package dev.towtank.controllers.secrets.reading;

import org.jspecify.annotations.NullMarked;
