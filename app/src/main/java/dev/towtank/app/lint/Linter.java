package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.script.Script;
import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Document.Origin;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.app.lint.standing.Named;
import dev.towtank.app.lint.standing.Repeats;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Looks at files, each for itself and several at once, and then at what they say about each other.
public final class Linter {

    private static final Pattern VARIABLE = Pattern.compile(
            "[\\s\"'/:=]\\$[A-Z][A-Z0-9_]{2,}|: *#\\{[A-Z][A-Z0-9_]*\\}|: +\\{[A-Za-z][\\w -]*\\}\\s*(#.*)?$");
    private static final Set<Rule> REPLACED = Set.of(Rule.REFUSED, Rule.WRONG_TYPE);

    private final Set<Rule> disabled;
    private final ApiVersions versions;
    private final List<Check> checks;
    private final Function<List<Script>, ScriptJudge.Verdicts> judge;
    private final Supplier<List<Json.Obj>> definitions;

    /// @param target the releases that the files are for
    /// @param flags Tekton's feature flags
    /// @param images why this machine has nothing for an image; nothing where it has
    /// @param judge of scripts
    /// @param definitions CustomResourceDefinitions beside those in the files
    public Linter(
            Target target,
            Settings flags,
            Set<Rule> disabled,
            Function<String, Optional<String>> images,
            Function<List<Script>, ScriptJudge.Verdicts> judge,
            Supplier<List<Json.Obj>> definitions) {
        this.definitions = definitions;
        this.disabled = Set.copyOf(disabled);
        this.judge = judge;
        this.versions = new ApiVersions(target);
        this.checks = List.of(
                versions,
                new BuiltinAdmission(versions),
                new TektonAdmission(flags, target),
                new SecretStores(),
                new StoreRights(),
                new NotebookJobs(),
                new TektonReferences(),
                new ObjectReferences(),
                new TaskVariables(),
                new Connections(),
                new VolumeMounts(),
                new UnusedParams(),
                new UnreachableTasks(),
                new Images(images),
                new Scripts(),
                new WaitCommands(),
                new StatCommands(),
                new ClaimUses(),
                new Kustomizations(),
                new DeliveredFolders());
    }

    /// What is in a file, for later: many files need not be in memory at once.
    public Report lint(List<? extends Supplier<Content>> files) {
        return lint(files, new Named(List.of()));
    }

    public Report lint(List<? extends Supplier<Content>> files, Named named) {
        var all = new Observations();
        files.parallelStream().map(file -> look(file.get())).forEachOrdered(all::addAll);
        var unknown = custom(all);
        all.findings.addAll(References.match(all));
        all.findings.addAll(ConnectionMatches.of(all));
        all.findings.addAll(StoreRightMatches.of(all));
        all.findings.addAll(SharedClaims.of(all));
        var verdicts = judge.apply(all.scripts);
        all.findings.addAll(verdicts.findings());
        var judgement = new Judgement(all, named);
        var unknownFields = new HashSet<SourcePlace>();
        var repeats = new Repeats(named);
        var found = Kustomizations.Found.of(all.findings);
        var kept = all.findings.stream()
                .filter(finding -> !finding.isSilenced() && !disabled.contains(finding.rule()))
                .filter(finding -> !Kustomizations.isAboutAPart(finding, all.patches))
                .filter(finding -> !Kustomizations.isFilledIn(finding, all, found))
                .filter(finding -> !found.has(finding))
                .map(judgement::of)
                .distinct()
                // Two checks may know the same kind.
                .filter(finding -> finding.rule() != Rule.UNKNOWN_FIELD || unknownFields.add(finding.place()))
                .sorted(Finding.ORDER)
                .map(repeats::judged)
                .toList();
        var notes = new ArrayList<>(verdicts.notes());
        UnknownKinds.note(unknown).ifPresent(notes::add);
        return new Report(kept, files.size(), all.objects - unknown.size(), notes);
    }

    /// @return the objects that nothing here knows
    private List<Document> custom(Observations all) {
        if (all.customObjects.isEmpty()) {
            return List.of();
        }
        var known = new ArrayList<CustomAdmission.Source>();
        definitions.get().forEach(each -> known.add(new CustomAdmission.Source(each, Optional.empty())));
        known.addAll(all.customDefinitions);
        return CustomAdmission.check(known, all.customObjects, all);
    }

    private Observations look(Content content) {
        var seen = new Observations();
        switch (content) {
            // Most JSON is for others.
            case Content.Unreadable(var finding) ->
                seen.add(finding.place().file().endsWith(".json") ? finding.at(Level.INFO) : finding);
            case Content.Text(var text) -> look(text, seen);
            case Content.Rendered(var texts, var possible, var findings) -> {
                texts.forEach(text -> seen.addAll(lookRendered(text)));
                possible.forEach(text -> seen.addPossible(lookRendered(text)));
                findings.forEach(seen::add);
            }
        }
        return seen;
    }

    // What would repair the text does not repair its template.
    private Observations lookRendered(SourceText text) {
        var seen = new Observations();
        look(text, seen);
        seen.findings.replaceAll(Finding::withoutFix);
        return seen;
    }

    private void look(SourceText text, Observations seen) {
        text.unknownSilences().forEach(seen::add);
        if (SourceFiles.isKustomization(text.file())) {
            seen.kustomizations.add(text.file());
        }
        if (Placeholder.isIn(text)) {
            seen.toBeFilledIn.add(text.file());
        }
        if (Placeholder.isOfYtt(text)) {
            seen.ofYtt.add(text.file());
        }
        if (Placeholder.mayBeIn(text)) {
            seen.standIns.add(text.file());
        }
        var documents = DocumentReader.read(text, SourceFiles.isProse(text.file()), seen);
        for (var document : documents) {
            seen.addAll(look(document));
        }
        // Kustomize has its own words for two that are one.
        if (!Kustomizations.isKustomization(text.file())) {
            twice(documents, seen);
        }
    }

    private Observations look(Document document) {
        var seen = new Observations();
        if (isForATool(document)) {
            return seen;
        }
        for (var check : checks) {
            if (!check.needsWhole() || document.origin() != Origin.WITH_GAPS) {
                check(check, document, seen);
            }
        }
        if (document.origin() != Origin.PLAIN) {
            // What is in the braces is not known, and whether it is right even less.
            seen.findings.removeIf(Judgement::isInBraces);
            seen.references.removeIf(reference -> Judgement.isInBraces(reference.otherwise()));
        }
        if (document.isPart() && document.isTekton()) {
            seen.findings.replaceAll(finding -> finding.rule() == Rule.REFUSED ? finding.at(Level.INFO) : finding);
        }
        seen.findings.removeIf(finding -> REPLACED.contains(finding.rule()) && isReplaced(document, finding));
        seen.references.removeIf(reference -> isReplaced(document, reference.otherwise()));
        if (!document.kind().isEmpty()) {
            seen.objects++;
        }
        if (isDeprecated(document)) {
            seen.deprecated.add(document.source().file());
        }
        versions.note(document, seen);
        if (document.kind().equals("CustomResourceDefinition")) {
            var file = Path.of(document.source().file()).toAbsolutePath().normalize();
            seen.customDefinitions.add(new CustomAdmission.Source(document.json(), Optional.of(file)));
        } else if (document.origin() == Origin.PLAIN && UnknownKinds.mayBe(document) && versions.isServed(document)) {
            seen.customObjects.add(document);
        }
        return seen;
    }

    /// What no rule foresaw ends no more than this look at this object.
    private static void check(Check check, Document document, Observations seen) {
        try {
            check.check(document, seen);
        } catch (StatusError e) {
            seen.add(Rule.REFUSED, document.value(document.root()), e.text(), "");
        }
    }

    /// Whether it tells a tool such as Kustomize what to do: no server sees it.
    private static boolean isForATool(Document document) {
        var annotations = document.json().object("metadata").object("annotations");
        return annotations.has("config.kubernetes.io/function")
                || annotations.string("config.kubernetes.io/local-config").equals("true");
    }

    private static boolean isDeprecated(Document document) {
        var metadata = document.json().object("metadata");
        return Stream.of("labels", "annotations")
                .anyMatch(each ->
                        metadata.object(each).string("tekton.dev/deprecated").equals("true"));
    }

    /// Whether a script puts something into the place of `$NAME`, `#{NAME}` or `{name}` before anybody applies it.
    private static boolean isReplaced(Document document, Finding finding) {
        // Of a Secret the excerpt has no values.
        var line = document.source().isRendered()
                ? finding.place().excerpt()
                : document.source().line(finding.place().line());
        return VARIABLE.matcher(line).find();
    }

    private static void twice(List<Document> documents, Observations seen) {
        var first = new HashMap<String, Document>();
        var told = new HashSet<String>();
        for (var document : documents) {
            var name = document.root().at("metadata", "name");
            if (name == null || !(name.json() instanceof Json.Str) || document.origin() != Origin.PLAIN) {
                continue;
            }
            var identity = String.join(
                    " ",
                    document.group(),
                    document.kind(),
                    document.root().text("metadata", "namespace"),
                    document.name());
            var before = first.putIfAbsent(identity, document);
            if (before != null && !SourceFiles.isProse(document.source().file()) && told.add(identity)) {
                seen.add(
                        Rule.DUPLICATE_OBJECT,
                        document.value(name),
                        document.kind() + " \"" + document.name() + "\" is already in line "
                                + before.root().start().line() + " of this file",
                        "The last one wins; give one of them another name or take it away.");
            }
        }
    }
}
