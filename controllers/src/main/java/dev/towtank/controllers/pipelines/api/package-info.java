/// The kinds of Tekton as records, in the version they are stored in.
///
/// They are for reading. Names of enumerations stay strings, so that an object with a wrong word can still be
/// read and told what is wrong with it. Parts that only pass through to a pod (environment, mounts, security)
/// stay JSON.
@NullMarked
package dev.towtank.controllers.pipelines.api;

import org.jspecify.annotations.NullMarked;
