package dev.towtank.controllers.builds.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecipeTest {

    private static Dockerfile read(String text) throws RecipeError {
        return Dockerfile.read(text, "Dockerfile", Map.of("TAG", "9"), "");
    }

    @Test
    void theLastStageIsTheImage() throws RecipeError {
        var found = read("""
                # syntax=docker/dockerfile:1
                ARG TAG=8
                FROM golang:1 AS tools
                RUN go build \\
                  # a comment between
                  -o /x .
                FROM ubi:${TAG} AS base
                ENV A=1 B="two words" C=$A
                WORKDIR /srv
                WORKDIR app
                FROM base
                ARG USER_ID=1001
                COPY --from=tools /x /usr/bin/x
                COPY requirements.txt src/ ./
                RUN pip install --no-cache-dir -r requirements.txt && pip3 install 'numpy>=1' Scikit_Learn
                RUN <<EOF
                FROM nothing
                EOF
                USER ${USER_ID}:0
                ENTRYPOINT ["python", "-m"]
                CMD app
                """);
        assertThat(found.base()).isEqualTo("ubi:9");
        assertThat(found.environment()).isEqualTo(Map.of("A", "1", "B", "two words", "C", "1"));
        assertThat(found.workingDirectory()).isEqualTo("/srv/app");
        assertThat(found.user()).isEqualTo("1001:0");
        assertThat(found.entrypoint()).isEqualTo(Optional.of(List.of("python", "-m")));
        assertThat(found.command()).isEqualTo(Optional.of(List.of("/bin/sh", "-c", "app")));
        assertThat(found.copies()).extracting(Dockerfile.Copied::path).containsExactly("requirements.txt", "src/");
        assertThat(found.requirements()).containsExactly(List.of("requirements.txt"));
        assertThat(found.packages()).containsExactly("numpy", "scikit-learn");
    }

    @Test
    void ofRequirementsInOneConditionTheFirstThatIsThereCounts() throws RecipeError {
        var found =
                read("FROM a\nRUN if [ -f n/r.txt ]; then pip install -r n/r.txt; elif [ -f r.txt ]; then pip install"
                        + " -r r.txt; fi\nRUN pip install -r x.txt\n");
        assertThat(found.requirements()).containsExactly(List.of("n/r.txt", "r.txt"), List.of("x.txt"));
    }

    @Test
    void aStrategyNamesAnotherBaseForTheLastStage() throws RecipeError {
        assertThat(Dockerfile.read("FROM a AS x\nFROM x\n", "Dockerfile", Map.of(), "other:1")
                        .base())
                .isEqualTo("other:1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            RUN true                    | Dockerfile:1: no build stage in current context: FROM comes before RUN
            FROM a~FETCH b              | Dockerfile:2: unknown instruction: FETCH
            FROM a~~COPY one            | Dockerfile:3: COPY requires at least two arguments
            FROM a b                    | Dockerfile:1: FROM requires either one or three arguments
            FROM ${NOTHING}             | Dockerfile:1: base name (${NOTHING}) should not be blank
            FROM a~ENV X                | Dockerfile:2: ENV must have two arguments, or name=value: X
            FROM a~RUN <<EOF~echo       | Dockerfile:2: unterminated heredoc EOF
            # nothing                   | Dockerfile:1: file with no instructions: FROM is missing
            FROM a~USER                 | Dockerfile:2: USER requires at least one argument
            """)
    void mistakesAreNamedWithTheirLine(String text, String message) {
        assertThatThrownBy(() -> read(text.replace('~', '\n')))
                .isInstanceOf(RecipeError.class)
                .hasMessage(message);
    }

    @Test
    void requirementsAreRead() throws RecipeError {
        var found = Requirements.read("""
                # tools
                numpy==1.26.4  # pinned
                Scikit_Learn>=1.2,<2
                pandas[excel] ~= 2.0 ; python_version < "3.13"
                -r more.txt
                --index-url https://pypi.example.com/simple
                git+https://git.example.com/x.git
                mlflow @ https://example.com/mlflow.zip
                torch \\
                  --hash=sha256:abc
                """, "requirements.txt");
        assertThat(found.packages()).containsExactly("numpy", "scikit-learn", "pandas", "mlflow", "torch");
        assertThat(found.more()).containsExactly("more.txt");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            numpy=1.0            | requirements.txt:1: Invalid requirement: 'numpy=1.0'. Hint: = is not a valid operator. Did you mean == ?
            a~two words          | requirements.txt:2: Invalid requirement: 'two words'.
            numpy==1~numpy==2    | requirements.txt:2: Double requirement given: numpy==2 (already in numpy==1, name='numpy')
            """)
    void requirementsThatPipRefusesAreRefused(String text, String message) {
        assertThatThrownBy(() -> Requirements.read(text.replace('~', '\n'), "requirements.txt"))
                .isInstanceOf(RecipeError.class)
                .hasMessage(message);
    }
}
