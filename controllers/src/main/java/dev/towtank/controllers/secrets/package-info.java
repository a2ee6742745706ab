/// External Secrets: what a store holds becomes a Secret, and stays as it is there.
@NullMarked
package dev.towtank.controllers.secrets;

import org.jspecify.annotations.NullMarked;
