package dev.towtank.apiserver.server;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Annotations;
import dev.towtank.apiserver.admission.ClusterSize;
import dev.towtank.apiserver.admission.CrdEstablishment;
import dev.towtank.apiserver.admission.CreateAuthorization;
import dev.towtank.apiserver.admission.FeatureGates;
import dev.towtank.apiserver.admission.FeatureRules;
import dev.towtank.apiserver.admission.LimitRanger;
import dev.towtank.apiserver.admission.NamespaceContents;
import dev.towtank.apiserver.admission.NamespaceLifecycle;
import dev.towtank.apiserver.admission.NodeTolerations;
import dev.towtank.apiserver.admission.PodSecurity;
import dev.towtank.apiserver.admission.PriorityAdmission;
import dev.towtank.apiserver.admission.ResourceQuotaAdmission;
import dev.towtank.apiserver.admission.RoleEscalation;
import dev.towtank.apiserver.admission.ServiceAccountAdmission;
import dev.towtank.apiserver.admission.ServiceAddresses;
import dev.towtank.apiserver.admission.StorageClassAdmission;
import dev.towtank.apiserver.admission.StorageProtection;
import dev.towtank.apiserver.admission.policy.PolicyAuthorization;
import dev.towtank.apiserver.admission.policy.PolicyStatus;
import dev.towtank.apiserver.admission.policy.ValidatingPolicies;
import dev.towtank.apiserver.admission.webhooks.MutatingWebhooks;
import dev.towtank.apiserver.admission.webhooks.ValidatingWebhooks;
import dev.towtank.apiserver.admission.webhooks.WebhookCalls;
import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.audit.AuditedApi;
import dev.towtank.apiserver.auth.AccessReviews;
import dev.towtank.apiserver.auth.Authenticator;
import dev.towtank.apiserver.auth.Authenticators;
import dev.towtank.apiserver.auth.AuthorizedApi;
import dev.towtank.apiserver.auth.BootstrapPolicy;
import dev.towtank.apiserver.auth.CertificateAuthenticator;
import dev.towtank.apiserver.auth.IdentityReviews;
import dev.towtank.apiserver.auth.ObjectLookup;
import dev.towtank.apiserver.auth.OpenIdDiscovery;
import dev.towtank.apiserver.auth.RbacAuthorizer;
import dev.towtank.apiserver.auth.ServiceAccountTokens;
import dev.towtank.apiserver.auth.StaticTokenAuthenticator;
import dev.towtank.apiserver.auth.TokenKey;
import dev.towtank.apiserver.auth.TokenRequests;
import dev.towtank.apiserver.catalog.BuiltinCatalog;
import dev.towtank.apiserver.catalog.CustomCatalog;
import dev.towtank.apiserver.catalog.ViewedKinds;
import dev.towtank.apiserver.local.LocalCluster;
import dev.towtank.apiserver.registry.NewCluster;
import dev.towtank.apiserver.registry.Registry;
import dev.towtank.apiserver.registry.Snapshots;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.upkeep.ClusterDeletion;
import dev.towtank.apiserver.upkeep.DefinitionDeletion;
import dev.towtank.apiserver.upkeep.DefinitionNames;
import dev.towtank.apiserver.upkeep.EventExpiry;
import dev.towtank.apiserver.upkeep.GarbageCollection;
import dev.towtank.apiserver.upkeep.NamespaceDeletion;
import dev.towtank.apiserver.upkeep.QuotaRecount;
import dev.towtank.apiserver.upkeep.StorageRelease;
import dev.towtank.apiserver.upkeep.StoreLoop;
import dev.towtank.apiserver.webhook.WebhookClient;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.pods.PodAccess;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// A Kubernetes API in this process, without a network: what HTTP serves and controllers call.
public final class ApiServer implements AutoCloseable {

    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";

    private final Store store;
    private final CustomCatalog catalog;
    private final RbacAuthorizer authorizer;
    private final Authenticator authenticator;
    private final OpenIdDiscovery openId;
    private final Api api;
    private final List<StoreLoop<?>> upkeep = new ArrayList<>();

    /// A server of the built-in kinds and of what its users define.
    public ApiServer(
            Store store,
            KeyPair tokenKeys,
            String authorityPem,
            String adminToken,
            InstantSource clock,
            RandomGenerator random) {
        this(store, tokenKeys, authorityPem, adminToken, clock, random, List.of());
    }

    /// A server of which no audit log is kept.
    public ApiServer(
            Store store,
            KeyPair tokenKeys,
            String authorityPem,
            String adminToken,
            InstantSource clock,
            RandomGenerator random,
            List<Feature> features) {
        this(store, tokenKeys, authorityPem, adminToken, clock, random, features, AuditSink.OFF, PodAccess.NONE);
    }

    /// @param store is closed with this server
    /// @param tokenKeys sign the tokens of service accounts
    /// @param authorityPem the certificate by which clients know this server
    /// @param adminToken opens everything
    /// @param features whose definitions are installed, and whose behaviours their kinds have
    /// @param audit is told what callers inside the process do
    /// @param pods knows what pods use
    public ApiServer(
            Store store,
            KeyPair tokenKeys,
            String authorityPem,
            String adminToken,
            InstantSource clock,
            RandomGenerator random,
            List<Feature> features,
            AuditSink audit,
            PodAccess pods) {
        this.store = store;
        var webhooks = new WebhookClient(store);
        var behaviours = features.stream()
                .flatMap(feature -> feature.behaviours().stream())
                .toList();
        this.catalog = new CustomCatalog(new BuiltinCatalog(), store, behaviours, webhooks, random);
        var contents = new NamespaceContents(store, authorityPem, clock, () -> NewCluster.uid(random));
        var addresses = new ServiceAddresses(store, random);
        var snapshots = new Snapshots(store, addresses, clock, random);
        var newCluster = new NewCluster(contents, snapshots, clock, random);
        var bootstrap = BootstrapPolicy.standard();
        new Bootstrap(store, newCluster, clock, random).run(bootstrap);
        this.authorizer = new RbacAuthorizer(store, bootstrap.plus(FeatureRoles.of(features)));
        var objects = ObjectLookup.of(store);
        var tokens = new ServiceAccountTokens(
                new TokenKey(tokenKeys), List.of(), AUDIENCE, List.of(AUDIENCE), objects, clock);
        this.openId = tokens.discovery();
        var certificates = new CertificateAuthenticator();
        var admin = User.of("towtank-admin", User.MASTERS, User.ALL_AUTHENTICATED);
        var administrators =
                new StaticTokenAuthenticator(Map.of(adminToken, new Authenticator.Identity(admin, Optional.empty())));
        this.authenticator = Authenticators.union(certificates, administrators, tokens);
        var questions = Questions.answers(
                new AccessReviews(authorizer, authorizer::rules),
                new IdentityReviews(tokens, certificates),
                new TokenRequests(tokens, objects, clock),
                objects,
                clock);
        var calls = new WebhookCalls(store, catalog, authorizer, webhooks, clock, () -> NewCluster.uid(random));
        var rules = List.of(
                new CreateAuthorization(authorizer),
                new NamespaceLifecycle(store),
                new ClusterSize(store),
                new LimitRanger(store),
                new ServiceAccountAdmission(store, random),
                new PriorityAdmission(store),
                new NodeTolerations(),
                new StorageClassAdmission(store),
                new StorageProtection(),
                addresses,
                new PodSecurity(store),
                contents,
                new RoleEscalation(authorizer),
                snapshots,
                newCluster,
                new CrdEstablishment(store, clock),
                new PolicyStatus(catalog),
                new PolicyAuthorization(store, catalog, authorizer),
                new FeatureRules(behaviours),
                new FeatureGates(
                        store,
                        features.stream()
                                .flatMap(feature -> feature.gates().stream())
                                .toList()));
        Annotations notes = (review, key, value) -> review.call().notes().put(key, value);
        var admissions = new ArrayList<Admission>(rules);
        admissions.add(new MutatingWebhooks(store, calls, rules, notes));
        admissions.add(new ValidatingPolicies(store, catalog, authorizer, notes));
        admissions.add(new ValidatingWebhooks(store, calls, notes));
        // Last: what the others change may cost something.
        admissions.add(new ResourceQuotaAdmission(store, clock));
        var views = new HashMap<>(new UsageViews(store, pods).all());
        views.put(ViewedKinds.API_SERVICE.resource(), new ApiServices(catalog, clock.instant()));
        var registry = new Registry(store, catalog, admissions, questions, views, clock, random);
        this.api = new AuditedApi(new AuthorizedApi(authorizer, registry), audit, clock);
        var shared = new Installation(api, catalog).install(features);
        catalog.share(shared.definitions());
        authorizer.share(shared.clusterRoles());
        keep("garbage-collection", new GarbageCollection(store, api, catalog), clock);
        keep("namespace-deletion", new NamespaceDeletion(store, api, catalog, clock), clock);
        keep("definition-deletion", new DefinitionDeletion(store, api, catalog, clock), clock);
        keep("definition-names", new DefinitionNames(store, api, catalog, clock), clock);
        keep("cluster-deletion", new ClusterDeletion(store), clock);
        keep("quota-recount", new QuotaRecount(store, api, catalog, clock), clock);
        keep("storage-release", new StorageRelease(store, api, catalog), clock);
        keep("event-expiry", new EventExpiry(store, api, catalog, clock), clock);
    }

    private void keep(String name, StoreLoop.Task<?> task, InstantSource clock) {
        upkeep.add(new StoreLoop<>(name, store, task, clock));
    }

    /// Begins the upkeep; the API itself answers already.
    public void start() {
        upkeep.forEach(StoreLoop::start);
    }

    public Api api() {
        return api;
    }

    public CustomCatalog catalog() {
        return catalog;
    }

    public RbacAuthorizer authorizer() {
        return authorizer;
    }

    public Authenticator authenticator() {
        return authenticator;
    }

    public OpenIdDiscovery openId() {
        return openId;
    }

    public Store store() {
        return store;
    }

    /// The API as a user inside this process sees it.
    public Cluster as(User user) {
        return new LocalCluster(api, user);
    }

    @Override
    public void close() {
        upkeep.forEach(StoreLoop::close);
        authorizer.close();
        store.close();
    }
}
