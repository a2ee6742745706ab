/// The addresses behind Services: which pods answer for them, as EndpointSlices and as the older Endpoints.
@NullMarked
package dev.towtank.controllers.workloads.services;

import org.jspecify.annotations.NullMarked;
