package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What there is around an InferenceService.
///
/// @param port where its front listens, once it does
/// @param routes where that leads now
/// @param tallies what became of requests, by revision
/// @param tested why the revision on trial did not pass its test; empty where it did, absent before it was asked
/// @param networks whether pods that listen have networks of their own
/// @param otherFile what lies in the place of the file that serves, where that was changed and somebody wants to know
record ServiceFacts(
        Runtimes runtimes,
        Credentials credentials,
        List<Revision> revisions,
        List<Worker> workers,
        Optional<Resource> service,
        Optional<Resource> slice,
        Optional<Integer> port,
        Optional<Routes> routes,
        Map<String, Routes.Tally> tallies,
        Optional<String> tested,
        boolean networks,
        Optional<String> otherFile) {

    ServiceFacts {
        revisions = List.copyOf(revisions);
        workers = List.copyOf(workers);
        tallies = Map.copyOf(tallies);
    }

    ServiceFacts listeningOn(int number) {
        return new ServiceFacts(
                runtimes,
                credentials,
                revisions,
                workers,
                service,
                slice,
                Optional.of(number),
                routes,
                tallies,
                tested,
                networks,
                otherFile);
    }

    ServiceFacts tested(String problem) {
        return new ServiceFacts(
                runtimes,
                credentials,
                revisions,
                workers,
                service,
                slice,
                port,
                routes,
                tallies,
                Optional.of(problem),
                networks,
                otherFile);
    }
}
