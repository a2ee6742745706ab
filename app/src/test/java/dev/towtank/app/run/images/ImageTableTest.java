package dev.towtank.app.run.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.app.run.input.RunChoice;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.app.run.input.RunRequest;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.Outlook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageTableTest {

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: p}
            spec:
              params: [{name: base, default: "alpine:3"}, {name: version}]
              tasks:
                - name: build
                  taskRef: {name: build}
                  params: [{name: image, value: "$(params.base)"}]
                - name: maybe
                  when: [{input: a, operator: in, values: [b]}]
                  taskSpec: {steps: [{name: only, image: perhaps}]}
              finally:
                - name: last
                  taskSpec:
                    steps: [{name: tell, image: 'tell:$(params["version"])', command: [sh, -c, "echo a | yq ."]}]
                    sidecars: [{name: beside, image: "$(tasks.build.results.image)"}]
            """;

    private static final String TASK = """
            apiVersion: tekton.dev/v1
            kind: Task
            metadata: {name: build}
            spec:
              params: [{name: image}, {name: other, default: debian}]
              stepTemplate: {image: "$(params.other)"}
              steps:
                - {name: first, image: "$(params.image)", script: "x=$(date +%s)\\nls | sed s/a/b/"}
                - {name: second, script: "date"}
                - {name: third, ref: {name: action}, params: [{name: what, value: "$(params.image)"}]}
            """;

    private static final String ACTION = """
            apiVersion: tekton.dev/v1beta1
            kind: StepAction
            metadata: {name: action}
            spec: {params: [{name: what}], image: "of/$(params.what)"}
            """;

    @TempDir
    Path home;

    private final Map<String, Outlook> answers = new HashMap<>();

    private static RunPlan plan(String... texts) {
        var documents = Stream.of(texts)
                .map(text -> new Document("a.yaml", 1, (Json.Obj) YamlText.parse(text)))
                .toList();
        var request = new RunRequest(
                List.of("version=7"), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), true);
        return new RunChoice(documents, request, true, KnownKinds.with(documents, List::of)).plan();
    }

    private static RunPlan whole() {
        return plan(PIPELINE, TASK, ACTION);
    }

    private ImageCheck check(Optional<Path> added) {
        return new ImageCheck(
                () -> new ImageCheck.Opened() {
                    @Override
                    public ImageMap map() {
                        return new ImageMap() {
                            @Override
                            public Lookup find(String reference) {
                                throw new IllegalStateException("nothing is started");
                            }

                            @Override
                            public Outlook outlook(Wanted wanted) {
                                return isMapped(wanted.reference())
                                        ? new Outlook.StandIn(false)
                                        : answers.getOrDefault(wanted.reference(), new Outlook.StandIn(true));
                            }
                        };
                    }

                    @Override
                    public void close() {}
                },
                added);
    }

    private boolean isMapped(String image) {
        try {
            var file = home.resolve("images.yaml");
            return Files.exists(file)
                    && Files.readString(file).contains("- match: " + image.replaceAll(":.*", "") + "\n");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void findsWhatEveryContainerWants() {
        assertThat(RunImages.of(whole()))
                .extracting(use -> use.place() + " " + use.image() + (use.isCertain() ? "" : "?"))
                .containsExactly(
                        "build > first alpine:3",
                        "build > second debian",
                        "build > third of/alpine:3",
                        "maybe > only perhaps?",
                        "last > tell tell:7",
                        "last > beside $(tasks.build.results.image)");
    }

    @Test
    void tellsAllAtOnceInOneTable() throws Exception {
        answers.put("debian", new Outlook.Here());
        answers.put("of/alpine:3", new Outlook.Comes(OptionalLong.of(5 << 20)));
        answers.put("perhaps", new Outlook.Missing("nobody has it. To run it, …", true));

        var look = check(Optional.empty()).look(whole());

        look.require();
        assertThat(String.join("\n", look.table().lines())).isEqualTo("""
                alpine:3     stand-in; date, ls, sed differ from the image's
                debian       real image, here
                of/alpine:3  real image, pulled: 5 MiB
                perhaps      missing, if it is needed at all: nobody has it
                tell:7       stand-in; yq differs from the image's
                1 image is known only when results are there""");
        assertThat(look.table().events().getFirst()).hasToString("""
                {"image":"alpine:3","state":"stand-in","differs":["date","ls","sed"]}""");
        assertThat(look.table().events().get(2)).hasToString("""
                {"image":"of/alpine:3","state":"pull","bytes":5242880}""");
    }

    @Test
    void whatIsMissingStartsNothing() throws Exception {
        answers.put("debian", new Outlook.Missing("nobody has debian", true));
        answers.put("tell:7", new Outlook.Missing("nobody has tell", false));

        var look = check(Optional.empty()).look(whole());

        assertThat(look.table().lines()).contains("debian       missing");
        assertThatThrownBy(look::require)
                .isInstanceOfSatisfying(
                        BadInput.class,
                        problem -> assertThat(problem.problems())
                                .containsExactly(
                                        "step build > second: nobody has debian",
                                        "step last > tell: nobody has tell",
                                        "nothing was started; --map-missing writes such lines itself"));
    }

    @Test
    void whatIsMissingIsMappedOnRequest() throws Exception {
        answers.put("debian", new Outlook.Missing("nobody has debian", true));
        var file = home.resolve("images.yaml");
        Files.writeString(file, "# mine\nimages:\n- match: x\n  root: host\nmirrors: []\n");

        var look = check(Optional.of(file)).look(whole());

        look.require();
        assertThat(look.mapped()).containsExactly("docker.io/debian:latest is in " + file + " now");
        assertThat(file).hasContent("""
                # mine
                images:
                - match: debian
                  root: host
                  shell: dash
                - match: x
                  root: host
                mirrors: []
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "sed -i s/a/b/ f ~ sed",
                "a=$(date) ~ date",
                "if grep -q x f; then tar xf y; fi ~ grep,tar",
                "find . | xargs sort ~ find,sort,xargs",
                "LANG=C awk '{print}' ~ awk",
                "/usr/bin/yq . f ~ yq",
                "echo date; update ~ ''",
                "echo 'no sed here' ~ ''",
            })
    void knowsWhichProgramsAScriptCalls(String script, String programs) {
        var found = new ArrayList<>(new CalledPrograms().inScript(script).all());

        assertThat(String.join(",", found)).isEqualTo(programs);
    }

    @Test
    void aScriptOfAnotherLanguageIsNotRead() {
        assertThat(new CalledPrograms()
                        .inScript("#!/usr/bin/env python3\ndate = 1\nsort (x)")
                        .all())
                .isEmpty();
        assertThat(new CalledPrograms().inScript("#!/bin/bash -e\ndate").all()).containsExactly("date");
    }
}
