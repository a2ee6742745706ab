/// The archive as a part of the platform: switched on and configured by a TektonResult, fed by what runs, and read over
/// the REST interface of Tekton Results.
@NullMarked
package dev.towtank.archive.service;

import org.jspecify.annotations.NullMarked;
