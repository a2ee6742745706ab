package dev.towtank.app.lint;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the checks noted down about documents.
final class Observations {

    final List<Finding> findings = new ArrayList<>();
    final List<Definition> definitions = new ArrayList<>();
    final List<Reference> references = new ArrayList<>();
    final List<Script> scripts = new ArrayList<>();
    /// Definitions of kinds, and objects that may be of such a kind.
    final List<Json.Obj> customDefinitions = new ArrayList<>();

    /// Files whose objects are merged into others.
    final Set<String> patches = new HashSet<>();

    /// Files that kustomizations list, and images to which they give a version.
    final Set<String> resources = new HashSet<>();

    final Set<String> chosenImages = new HashSet<>();

    /// What [Connections] holds against each other.
    final List<Connections.Workload> workloads = new ArrayList<>();

    final List<Connections.Service> services = new ArrayList<>();
    final List<Connections.Keys> keys = new ArrayList<>();
    final List<Connections.KeyUse> keyUses = new ArrayList<>();
    final List<Connections.Target> targets = new ArrayList<>();

    final List<Document> customObjects = new ArrayList<>();
    int objects;

    void add(Finding finding) {
        findings.add(finding);
    }

    void add(Rule rule, Place place, String message, String advice) {
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
        scripts.addAll(others.scripts);
        customDefinitions.addAll(others.customDefinitions);
        patches.addAll(others.patches);
        resources.addAll(others.resources);
        chosenImages.addAll(others.chosenImages);
        customObjects.addAll(others.customObjects);
        workloads.addAll(others.workloads);
        services.addAll(others.services);
        keys.addAll(others.keys);
        keyUses.addAll(others.keyUses);
        targets.addAll(others.targets);
        objects += others.objects;
    }
}
