package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.SpaceKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A kind by which spaces are asked for, and the words it has for what becomes of them.
sealed interface Door {

    String LABELS = "toolchain.dev.openshift.com/";

    Kind<Json.Obj> kind();

    String finalizer();

    String tier(Resource asked);

    /// Labels that a cluster must have, all of them.
    List<String> roles(Resource asked);

    /// The Secret for a namespace.
    String secret(Resource asked, String namespace);

    Map<String, String> secretLabels(Resource asked, String namespace);

    /// What the Secret has.
    ///
    /// @param keys `kubeconfig` and `token`
    Map<String, String> contents(Room room, String account, Json.Obj keys, String url);

    /// When the space goes though nobody deleted it.
    Optional<Instant> ends(Resource asked);

    Json.Obj status(Resource asked, SpaceState state, Instant now);

    /// kubesaw's, with which the record begins.
    record SpaceRequests() implements Door {

        @Override
        public Kind<Json.Obj> kind() {
            return SpaceKinds.REQUEST;
        }

        @Override
        public String finalizer() {
            return "finalizer.toolchain.dev.openshift.com";
        }

        @Override
        public String tier(Resource asked) {
            return asked.spec().string("tierName");
        }

        @Override
        public List<String> roles(Resource asked) {
            return asked.spec().array("targetClusterRoles").strings();
        }

        /// The same one again when it was deleted.
        @Override
        public String secret(Resource asked, String namespace) {
            var hash = HexFormat.of().formatHex(Sha256.of(asked.uid() + "/" + namespace));
            return asked.name() + "-" + hash.substring(0, 5);
        }

        @Override
        public Map<String, String> secretLabels(Resource asked, String namespace) {
            return Map.of(
                    LABELS + "spacerequest", asked.name(), LABELS + "spacerequest-provisioned-namespace", namespace);
        }

        @Override
        public Map<String, String> contents(Room room, String account, Json.Obj keys, String url) {
            return Map.of("kubeconfig", keys.string("kubeconfig"));
        }

        @Override
        public Optional<Instant> ends(Resource asked) {
            return Optional.empty();
        }

        @Override
        public Json.Obj status(Resource asked, SpaceState state, Instant now) {
            var conditions = Conditions.of(asked.status(), now);
            return switch (state) {
                case SpaceState.Waits(var why) ->
                    with(asked, conditions.set("Ready", false, "ProvisioningPending", why));
                case SpaceState.Fails(var why) -> with(asked, conditions.set("Ready", false, "UnableToProvision", why));
                case SpaceState.Ends _ -> with(asked, conditions.set("Ready", false, "Terminating", ""));
                case SpaceState.Stands(var rooms, var hasSecrets, var url) ->
                    with(asked, conditions.set("Ready", true, "Provisioned", ""))
                            .with("targetClusterURL", Json.of(url))
                            .with("namespaceAccess", access(asked, rooms, hasSecrets));
            };
        }

        private static Json.Obj with(Resource asked, Conditions conditions) {
            return asked.status().with("conditions", conditions.json());
        }

        private Json.Arr access(Resource asked, List<Room> rooms, boolean hasSecrets) {
            var all = new ArrayList<Json>();
            for (var room : rooms) {
                var secret = hasSecrets ? secret(asked, room.namespace()) : "";
                all.add(Json.Obj.of("name", Json.of(room.namespace()), "secretRef", Json.of(secret)));
            }
            return new Json.Arr(all);
        }
    }

    /// Konflux's claim, as Crossplane would serve it.
    record NamespaceClaims() implements Door {

        static final Duration LIFE = Duration.ofHours(4);

        @Override
        public Kind<Json.Obj> kind() {
            return SpaceKinds.NAMESPACE_CLAIM;
        }

        @Override
        public String finalizer() {
            return "finalizer.apiextensions.crossplane.io";
        }

        @Override
        public String tier(Resource asked) {
            return "eaas";
        }

        @Override
        public List<String> roles(Resource asked) {
            return List.of("cluster-role.toolchain.dev.openshift.com/eaas");
        }

        @Override
        public String secret(Resource asked, String namespace) {
            return asked.spec().string("writeConnectionSecretToRef", "name");
        }

        @Override
        public Map<String, String> secretLabels(Resource asked, String namespace) {
            return Map.of();
        }

        @Override
        public Map<String, String> contents(Room room, String account, Json.Obj keys, String url) {
            return Map.of(
                    "namespace",
                    room.namespace(),
                    "serviceaccount",
                    account,
                    "kubeconfig",
                    keys.string("kubeconfig"),
                    "token",
                    keys.string("token"),
                    "apiserver",
                    url);
        }

        @Override
        public Optional<Instant> ends(Resource asked) {
            return asked.creationTimestamp().map(moment -> moment.plus(LIFE));
        }

        @Override
        public Json.Obj status(Resource asked, SpaceState state, Instant now) {
            var conditions = Conditions.of(asked.status(), now);
            switch (state) {
                case SpaceState.Waits(var why) ->
                    conditions.set("Synced", false, "ReconcileError", why).set("Ready", false, "Waiting", why);
                case SpaceState.Fails(var why) ->
                    conditions.set("Synced", false, "ReconcileError", why).set("Ready", false, "Waiting", why);
                case SpaceState.Ends _ -> conditions.set("Ready", false, "Deleting", "");
                case SpaceState.Stands _ ->
                    conditions.set("Synced", true, "ReconcileSuccess", "").set("Ready", true, "Available", "");
            }
            return asked.status().with("conditions", conditions.json());
        }
    }
}
