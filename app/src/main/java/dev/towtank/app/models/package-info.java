/// What `towtank model` shows and does: models, their versions, and which one serves.
@NullMarked
package dev.towtank.app.models;

import org.jspecify.annotations.NullMarked;
