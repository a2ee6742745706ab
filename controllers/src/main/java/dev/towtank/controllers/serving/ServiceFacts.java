package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What there is around an InferenceService.
///
/// @param port where its front listens, once it does
/// @param routes where that leads now
record ServiceFacts(
        Runtimes runtimes,
        Credentials credentials,
        List<Revision> revisions,
        List<Worker> workers,
        Optional<Resource> service,
        Optional<Resource> slice,
        Optional<Integer> port,
        Optional<Routes> routes) {

    ServiceFacts {
        revisions = List.copyOf(revisions);
        workers = List.copyOf(workers);
    }

    ServiceFacts listeningOn(int number) {
        return new ServiceFacts(runtimes, credentials, revisions, workers, service, slice, Optional.of(number), routes);
    }
}
