package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.auth.Authenticator;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.auth.OpenIdDiscovery;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.web.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What the HTTP server gives access to.
///
/// @param endpoints further paths, each with what answers it; asked at every request, as features come later
public record Backend(
        Api api,
        Catalog catalog,
        Authenticator authenticator,
        Authorizer authorizer,
        Documents documents,
        OpenIdDiscovery openId,
        Health health,
        ServerMetrics metrics,
        AuditSink audit,
        Optional<PodAccess> pods,
        Supplier<List<Endpoint>> endpoints) {}
