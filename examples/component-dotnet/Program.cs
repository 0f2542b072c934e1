// The component in .NET, through wasmtime's C API: `component-dotnet ebbline.wasm session.json options.json`.
//
// It prints what it was answered, as JSON, for a test that compares this with the answers of the npm package.

using System;
using System.Collections.Generic;
using System.IO;

static class Program
{
    static int Main(string[] given)
    {
        if (given.Length != 3)
        {
            Console.Error.WriteLine("usage: component-dotnet ebbline.wasm session.json options.json");
            return 2;
        }
        string text = File.ReadAllText(given[1]), options = File.ReadAllText(given[2]);
        using (var component = new Component(File.ReadAllBytes(given[0])))
        {
            var changed = (Dictionary<string, object>)component.Call("compact-messages", text, options);
            var session = (Resource)component.Call("[static]session.open", options);
            var messages = component.Call("[method]session.push", session, text);
            var asking = new Record { { "force", false }, { "known-tokens", Option.None }, { "overhead", new Option(0UL) }, { "idle", Option.None } };
            var decision = (Dictionary<string, object>)component.Call("[method]session.decide", session, asking);
            component.Drop(session);

            var compactor = (Resource)component.Call("[static]compactor.open", options);
            var request = component.Call("[method]compactor.prepare", compactor, 0U, text, "{}");
            for (var times = 0; request != null && times < 9; times++)
                request = component.Call("[method]compactor.answer", compactor, "## Goal\nMend the test.", false);
            component.Call("[method]compactor.usage", compactor, new Option(900UL), Option.None);
            var sent = component.Call("[method]compactor.view", compactor);
            component.Drop(compactor);

            var sweep = (Resource)component.Call("[static]sweep.open", "{\"windows\": [2000, 4000]}", "{}");
            var figures = Array.ConvertAll((object[])component.Call("[method]sweep.weigh", sweep, text), figure => (double)figure);
            component.Call("[method]sweep.add", sweep, figures);
            var report = component.Call("[method]sweep.report", sweep);
            component.Drop(sweep);

            Console.WriteLine("{{\"plan\": {0}, \"view\": {1}, \"failure\": \"{2}\", \"messages\": {3}, \"verdict\": \"{4}\", \"sent\": {5}, \"report\": {6}}}",
                changed["plan"], changed["view"], Code(component), messages, decision["verdict"], sent, report);
        }
        return 0;
    }

    static object Code(Component component)
    {
        try
        {
            component.Call("plan", "{\"a\": tru}", "{}");
            return "none";
        }
        catch (Failure failure)
        {
            return failure.Record["code"];
        }
    }
}
