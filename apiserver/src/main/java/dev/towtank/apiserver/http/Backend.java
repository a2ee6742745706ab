package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.auth.Authenticator;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.metrics.ServerMetrics;

/// What the HTTP server gives access to.
public record Backend(
        Api api,
        Catalog catalog,
        Authenticator authenticator,
        Authorizer authorizer,
        Documents documents,
        Health health,
        ServerMetrics metrics) {}
