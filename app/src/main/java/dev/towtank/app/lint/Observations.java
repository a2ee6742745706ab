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
        customObjects.addAll(others.customObjects);
        objects += others.objects;
    }
}
