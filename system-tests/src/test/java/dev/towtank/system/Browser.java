package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/// A real browser without a window, that looks at one page.
///
/// @param folder for what it writes
record Browser(Path folder) {
    private static final String SIZE = "1300,2400";

    enum Scheme {
        DARK("0"),
        LIGHT("1");

        private final String setting;

        Scheme(String setting) {
            this.setting = setting;
        }
    }

    /// Where an element is, and its classes.
    record Spot(String style, int x, int y, int width, int height) {}

    BufferedImage picture(Path page, Scheme scheme) throws IOException {
        var file = folder.resolve("picture-" + scheme + ".png");
        var outcome = run(page, "--screenshot=" + file, "--blink-settings=preferredColorScheme=" + scheme.setting);
        // What a page does wrong, the console of the browser says.
        assertThat(outcome.err()).doesNotContain(":CONSOLE");
        return ImageIO.read(file.toFile());
    }

    /// Where the browser puts the elements that a selector finds. The page forbids scripts, so a copy that
    /// does not is asked.
    List<Spot> spots(Path page, String selector) throws IOException {
        var script = """
            <script>
            document.title = [...document.querySelectorAll('%s')].map(e => {
              const r = e.getBoundingClientRect();
              return [e.parentNode.getAttribute('class'), r.x, r.y, r.width, r.height].join(',');
            }).join(';');
            </script>
            </body>\
            """.formatted(selector);
        var copy = Files.writeString(
                folder.resolve("copy.html"),
                Files.readString(page)
                        .replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
                        .replace("</body>", script));
        var dumped = Pattern.compile("<title>([^<]*)</title>")
                .matcher(run(copy, "--dump-dom").out());
        assertThat(dumped.find()).isTrue();
        var spots = new ArrayList<Spot>();
        for (var text : dumped.group(1).split(";", -1)) {
            var parts = text.split(",", -1);
            spots.add(new Spot(parts[0], number(parts[1]), number(parts[2]), number(parts[3]), number(parts[4])));
        }
        return spots;
    }

    private static int number(String text) {
        return (int) Math.round(Double.parseDouble(text));
    }

    private Program.Outcome run(Path page, String... options) throws IOException {
        var command = new ArrayList<>(List.of(
                "chromium",
                "--headless",
                "--no-sandbox", // it looks at nothing but our own page, and root could not use one
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--window-size=" + SIZE,
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile")));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        var outcome = Program.run(command);
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome;
    }
}
