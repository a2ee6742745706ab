@NullMarked
package dev.towtank.controllers.models;

import org.jspecify.annotations.NullMarked;
