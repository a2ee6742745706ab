package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import org.junit.jupiter.api.Test;

class NotebookPageTest {

    private static String page(String outputs) {
        var notebook = (Json.Obj) YamlText.parse("""
                cells:
                - {cell_type: markdown, source: ["# A <b>title</b>\\n", "- **one** `x<y`\\n"]}
                - cell_type: code
                  execution_count: 1
                  source: print("<script>alert(1)</script>")
                  metadata: {towtank: {status: Failure, seconds: 1.5}}
                  outputs: [%s]
                """.formatted(outputs));
        var results = (Json.Obj) YamlText.parse("{reason: CellFailed, message: no <i>}");
        return NotebookPage.of("a.ipynb", notebook, results);
    }

    @Test
    void nothingOfTheNotebookBecomesMarkup() {
        var page = page(
                "{output_type: display_data, data: {text/html: '<img src=x onerror=alert(1)>', text/plain: '<table>'}}");

        assertThat(page)
                .contains("<h2>A &lt;b&gt;title&lt;/b&gt;</h2>", "<li><strong>one</strong> <code>x&lt;y</code></li>")
                .contains("print(&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;)", "&lt;table&gt;", "1.50 s")
                .doesNotContain("<script>", "onerror");
    }

    @Test
    void picturesAreShownAndOnlyPictures() {
        assertThat(page("{output_type: display_data, data: {image/png: 'iVBORw0KGgo=', text/plain: 'a plot'}}"))
                .contains("<img src=\"data:image/png;base64,iVBORw0KGgo=\" alt=\"a plot\">");
        assertThat(page("{output_type: display_data, data: {image/png: '\"><script>', text/plain: 'a plot'}}"))
                .doesNotContain("<img")
                .contains("a plot");
    }

    @Test
    void colouredTracebacksArePlainText() {
        assertThat(page("{output_type: error, traceback: [\"\\e[31mValueError\\e[0m: x\"]}"))
                .contains("<pre class=\"output error\">ValueError: x</pre>");
    }
}
