package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;

/// Where an interceptor that somebody runs is to be found.
public sealed interface Destination {

    /// @param authority certificates in PEM that it is known by; empty for those that everybody trusts
    record Address(String url, String authority) implements Destination {}

    record Service(String namespace, String name, int port, String path) implements Destination {}

    /// @param interceptor an Interceptor or ClusterInterceptor
    /// @param namespace of the Service where it does not say
    static Destination of(Json.Obj interceptor, String namespace) throws Refusal {
        var known = interceptor.string("status", "address", "url");
        var client = interceptor.object("spec", "clientConfig");
        var url = known.isEmpty() ? client.string("url") : known;
        if (!url.isEmpty()) {
            return new Address(url, client.string("caBundle"));
        }
        var service = client.object("service");
        if (service.string("name").isEmpty()) {
            throw new Refusal(
                    Refusal.Code.FAILED_PRECONDITION,
                    "url resolution failed for interceptor "
                            + interceptor.string("metadata", "name")
                            + ": interceptor URL was nil: its spec.clientConfig has neither url nor service");
        }
        if (!client.string("caBundle").isEmpty()) {
            throw new Refusal(
                    Refusal.Code.FAILED_PRECONDITION,
                    "the interceptor " + interceptor.string("metadata", "name")
                            + " has a caBundle for a Service; Services are called without TLS here: remove"
                            + " spec.clientConfig.caBundle, or name it by url");
        }
        var place = service.string("namespace");
        return new Service(
                place.isEmpty() ? namespace : place,
                service.string("name"),
                (int) service.integerOr(80, "port"),
                service.string("path"));
    }
}
