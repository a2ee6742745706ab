/// What S3 says over HTTP, as pure functions: signatures, pages of a listing, XML and refusals. No files, no sockets.
@NullMarked
package dev.towtank.controllers.buckets.s3;

import org.jspecify.annotations.NullMarked;
