package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.script.Script;
import dev.towtank.app.lint.settings.Target.Release;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.standing.Delivery;
import dev.towtank.app.lint.standing.Listings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What the checks noted down about documents.
final class Observations {

    final List<Finding> findings = new ArrayList<>();
    final List<Definition> definitions = new ArrayList<>();
    final List<Reference> references = new ArrayList<>();
    final List<Reference.Embedded> embedded = new ArrayList<>();
    final List<Script> scripts = new ArrayList<>();
    /// Definitions of kinds, and objects that may be of such a kind.
    final List<CustomAdmission.Source> customDefinitions = new ArrayList<>();

    /// Files whose objects are merged into others.
    final Set<String> patches = new HashSet<>();

    /// Files and folders whose objects are compared with others, or merged into them, as far as they go.
    final Set<String> parts = new HashSet<>();

    /// Files that kustomizations list, and images to which they give a version.
    final Set<String> resources = new HashSet<>();

    /// All kustomizations, also those that cannot be read.
    final Set<String> kustomizations = new HashSet<>();

    /// Kustomizations that only others build.
    final Set<String> components = new HashSet<>();

    /// The kustomizations that list a file or a folder.
    final Map<String, Set<String>> listedBy = new HashMap<>();

    /// Folders with a kustomization that names a namespace.
    final Set<String> namespaced = new HashSet<>();

    final Set<String> chosenImages = new HashSet<>();

    /// What [Outdated] holds against each other: groups, groups with kinds, and kinds with names.
    final Set<String> served = new HashSet<>();

    /// How often there is a kind, in versions that are served.
    final Map<String, Integer> kinds = new HashMap<>();

    /// The oldest release of Kubernetes that serves all there is, by folders.
    final Map<Path, Release> oldest = new HashMap<>();

    final Map<SourcePlace, Outdated.Unserved> unserved = new HashMap<>();

    /// What [Connections] holds against each other.
    final List<Connections.Workload> workloads = new ArrayList<>();

    final List<Connections.Service> services = new ArrayList<>();
    final List<Connections.Keys> keys = new ArrayList<>();
    final List<Connections.KeyUse> keyUses = new ArrayList<>();
    final List<Connections.Target> targets = new ArrayList<>();

    /// What [StoreRights] holds against each other.
    final List<StoreRights.Store> stores = new ArrayList<>();

    final List<StoreRights.Read> reads = new ArrayList<>();
    final List<StoreRights.Role> roles = new ArrayList<>();
    final List<StoreRights.Binding> bindings = new ArrayList<>();

    /// What [ClaimUses] holds against each other.
    final List<ClaimUses.Claim> claims = new ArrayList<>();

    final List<ClaimUses.Use> claimUses = new ArrayList<>();

    /// Folders that Argo CD or Flux delivers.
    final List<Delivery> deliveries = new ArrayList<>();

    /// Files with words in the place of values.
    final Set<String> toBeFilledIn = new HashSet<>();

    /// Files that are programs.
    final Set<String> ofYtt = new HashSet<>();

    /// Files with something that says of itself that it is kept for those who still use it.
    final Set<String> deprecated = new HashSet<>();

    /// Files with values that may be such words.
    final Set<String> standIns = new HashSet<>();

    final List<Document> customObjects = new ArrayList<>();

    /// Whether a Kustomization of Flux has patches of its own.
    boolean isPatchedByFlux;

    int objects;

    /// @param since there is an object in the folder that no older release serves
    void addOldest(Path folder, Release since) {
        oldest.merge(folder, since, (one, other) -> one.compareTo(other) >= 0 ? one : other);
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    void add(Rule rule, SourcePlace place, String message, String advice) {
        findings.add(Finding.of(rule, place, message, advice));
    }

    void add(Definition definition) {
        definitions.add(definition);
    }

    void add(Reference reference) {
        references.add(reference);
    }

    void add(Script script) {
        scripts.add(script);
    }

    void addAll(Observations others) {
        findings.addAll(others.findings);
        definitions.addAll(others.definitions);
        references.addAll(others.references);
        embedded.addAll(others.embedded);
        scripts.addAll(others.scripts);
        customDefinitions.addAll(others.customDefinitions);
        patches.addAll(others.patches);
        parts.addAll(others.parts);
        toBeFilledIn.addAll(others.toBeFilledIn);
        ofYtt.addAll(others.ofYtt);
        resources.addAll(others.resources);
        kustomizations.addAll(others.kustomizations);
        components.addAll(others.components);
        others.listedBy.forEach((file, by) ->
                listedBy.computeIfAbsent(file, _ -> new HashSet<>()).addAll(by));
        namespaced.addAll(others.namespaced);
        chosenImages.addAll(others.chosenImages);
        served.addAll(others.served);
        others.kinds.forEach((kind, number) -> kinds.merge(kind, number, Integer::sum));
        others.oldest.forEach(this::addOldest);
        unserved.putAll(others.unserved);
        deprecated.addAll(others.deprecated);
        standIns.addAll(others.standIns);
        deliveries.addAll(others.deliveries);
        customObjects.addAll(others.customObjects);
        workloads.addAll(others.workloads);
        services.addAll(others.services);
        keys.addAll(others.keys);
        keyUses.addAll(others.keyUses);
        targets.addAll(others.targets);
        stores.addAll(others.stores);
        reads.addAll(others.reads);
        roles.addAll(others.roles);
        bindings.addAll(others.bindings);
        claims.addAll(others.claims);
        claimUses.addAll(others.claimUses);
        isPatchedByFlux |= others.isPatchedByFlux;
        objects += others.objects;
    }

    /// Of something that may be there as well: enough not to miss it, and not enough to complain.
    void addPossible(Observations others) {
        var known = findings.stream().map(finding -> finding.at(Level.INFO)).collect(Collectors.toSet());
        others.findings.stream()
                .map(finding -> finding.at(Level.INFO))
                .filter(finding -> !known.contains(finding))
                .forEach(findings::add);
        definitions.addAll(others.definitions);
        customDefinitions.addAll(others.customDefinitions);
        workloads.addAll(others.workloads);
        keys.addAll(others.keys);
        stores.addAll(others.stores);
        roles.addAll(others.roles);
        bindings.addAll(others.bindings);
        claims.addAll(others.claims);
    }

    Listings listings() {
        var listed = new HashMap<Path, Set<Path>>();
        listedBy.forEach((file, by) ->
                listed.computeIfAbsent(whole(file), _ -> new HashSet<>()).addAll(whole(by)));
        return new Listings(whole(kustomizations), listed, whole(patches), deliveries);
    }

    private static Set<Path> whole(Set<String> files) {
        return files.stream().map(Observations::whole).collect(Collectors.toSet());
    }

    private static Path whole(String file) {
        return Path.of(file).toAbsolutePath().normalize();
    }
}
