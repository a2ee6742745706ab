package dev.towtank.cluster.web;

import java.io.IOException;

/// Answers requests, each on a virtual thread of its own: it may block.
@FunctionalInterface
public interface WebHandler {

    /// A [dev.towtank.model.StatusError] becomes the Status object that Kubernetes would send; a body that is too
    /// large,
    /// 413; whatever else is thrown, 500 without a word of what it was.
    ///
    /// @throws InterruptedException the client has gone, or waits no longer
    WebResponse handle(WebRequest request) throws IOException, InterruptedException;
}
