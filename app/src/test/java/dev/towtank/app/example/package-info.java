/// The worked example of `docs/adding-a-feature.md`: a small feature that uses every part of the plug.
@NullMarked
package dev.towtank.app.example;

import org.jspecify.annotations.NullMarked;
