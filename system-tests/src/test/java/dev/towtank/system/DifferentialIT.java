package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Hundreds of requests, whose answers are written down: a change of any is seen, and meant.
///
/// With `-Dtowtank.judge=https://host:port -Dtowtank.judge.token=…` a real kube-apiserver answers them as well, and
/// `target/differential/score.txt` tells where the two differ.
class DifferentialIT {

    private static final Path RECORDED =
            RunningTowtank.repository().resolve("system-tests/src/test/resources/differential/answers.txt");
    private static final Path OUTPUT = RunningTowtank.repository().resolve("system-tests/target/differential");

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @Test
    void answersAsItIsWrittenDown() throws IOException {
        var config = (Json.Obj) YamlText.parse(Files.readAllBytes(SERVER.kubeconfig()));
        var cluster = config.objects("clusters").getFirst().string("cluster", "server");
        var token = config.objects("users").getFirst().string("user", "token");
        var ours = new Differential(URI.create(cluster), token).run(Differential.requests());
        var lines = ours.stream().map(DifferentialIT::line).toList();
        Files.createDirectories(OUTPUT);
        Files.write(OUTPUT.resolve("answers.txt"), lines);
        judge(ours);
        assertThat(lines)
                .as("what is meant to differ is copied from target/differential/answers.txt")
                .isEqualTo(Files.readAllLines(RECORDED));
    }

    private static String line(Differential.Answer answer) {
        return answer.request() + " => " + answer.code() + " " + answer.text().replace("\n", "\\n");
    }

    private static void judge(List<Differential.Answer> ours) throws IOException {
        var address = System.getProperty("towtank.judge", "");
        if (address.isEmpty()) {
            return;
        }
        var theirs = new Differential(URI.create(address), System.getProperty("towtank.judge.token", ""))
                .run(Differential.requests());
        int codes = 0;
        int same = 0;
        var differences = new ArrayList<String>();
        for (int i = 0; i < ours.size(); i++) {
            boolean sameCode = ours.get(i).code() == theirs.get(i).code();
            boolean sameText =
                    ours.get(i).text().strip().equals(theirs.get(i).text().strip());
            codes += sameCode ? 1 : 0;
            same += sameCode && sameText ? 1 : 0;
            if (!sameCode || !sameText) {
                differences.add(
                        (sameCode ? "text " : "CODE ") + line(ours.get(i)) + "\n  kube: " + line(theirs.get(i)));
            }
        }
        differences.addFirst(ours.size() + " requests, " + codes + " with the same code, " + same + " identical");
        Files.write(OUTPUT.resolve("score.txt"), differences);
    }
}
