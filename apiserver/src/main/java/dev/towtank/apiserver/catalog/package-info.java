/// Which kinds there are, built in and defined by objects, and how an object of one version becomes one of another.
@NullMarked
package dev.towtank.apiserver.catalog;

import org.jspecify.annotations.NullMarked;
