export const HELP = `ebbline keeps an LLM agent's session inside its context window.

Usage: ebbline detect  [--json] FILE...
       ebbline plan    [options] FILE...
       ebbline inspect [--json] FILE...
       ebbline compact [options] [-o OUT] FILE
       ebbline summarize --with 'COMMAND' [options] [-o OUT] FILE
       ebbline undo    --record RECORD [-o OUT] FILE
       ebbline recall  [--record RECORD] FILE ID
       ebbline validate [--also RULE] [--except RULE] FILE...
       ebbline repair  [--also RULE] [--except RULE] [-o OUT] FILE
       ebbline summary-request [options] [--answer ANSWER] FILE
       ebbline replay  [options] FILE...
       ebbline compare [options] [--policies NAME,NAME] FILE|FOLDER...
       ebbline sweep   [options] [--set PATH=VALUE,VALUE] FILE|FOLDER...
       ebbline audit   [--check] FILE|FOLDER...
       ebbline profiles [--json]

  detect    which format a session is of, and what shows it
  plan      what would be pruned and summarised, message by message, and why
  inspect   what a session is made of: messages, tokens, largest outputs, compactions, problems
  compact   does it; the session goes to standard output, everything else to standard error
  summarize does it with a summary: a command of yours asks a model for it
  undo      gives back the session as it was before; messages that came since stay
  recall    the whole output of one call, also if it was pruned
  validate  whether the provider would accept it, and where it breaks which rule
  repair    mends what the provider would refuse: results without calls, calls without results,
            what is empty; it says what it did and invents no outcome
  summary-request
            what to ask a model for when old messages are to be summarised; with its answer,
            the summary that compact --summary takes
  replay    what a policy would have done over the session's whole life, request by request,
            and what that would have cost
  compare   the same for several policies, side by side
  sweep     the same for every combination of values of knobs, added up over all files: what each
            point costs and loses, which points stand on the frontier, and what beats the others
  audit     what was really lost by the compactions that a file records, worst first
  profiles  the policies there are

FILE is a session of any supported agent or library: Claude Code, Codex, OpenCode, pi, TunaCode,
Gemini CLI, Copilot CLI, Cline, OpenHands, SWE-agent, OpenAI, Anthropic, Gemini, the AI SDK,
LangChain, pydantic-ai and others. A single - is standard input. A FOLDER means every session
below it; files that no format recognises are skipped and counted.

Policy
  --profile NAME        the policy to begin with (default: ebbline@2)
  --set PATH=VALUE      turn one knob, such as prune.protect=30000 or retain.keep=10%;
                        may be repeated
  --context N           the model's context window, in tokens
  --output-limit N      the most that an answer may have, in tokens
  --known-tokens N      what the context holds, as the provider reported it
  --overhead N          the tokens that every request sends beside the messages, such as tools;
                        without it, they are learnt from reported usage
  --idle MS             the milliseconds since the last request, for prune.coldAfter
  --force               compact even if the context is not full

Replay
  --policies NAME,NAME  compare: these profiles instead of all; sweep: these beside the grid,
                        as they are (all for every profile)
  --loss                compare: also what the assistant needs again (by words, without a model)
  --usage WORD          where reported usage comes from: estimate, recorded or nothing
  --moments WORD        when a policy decides: every_request, or system for when its system does
  --rates A,B,C         what cached input, written input and output cost, as multiples of the
                        price of fresh input (default: 0.1,1.25,5)
  --cache-minimum N     the smallest prefix that the provider caches, in tokens
  --cache-lives N       how many minutes it stays cached, by the moments in the session
  --cache-check         replay: also what these two predict of the cache reads that the provider
                        reported, and how far that is off
  --csv                 a table for spreadsheets
  --svg FILE            replay, sweep: also write the chart to this file

Sweep
  --policy NAME         the policy over which the values are laid; --profile says the same
  --set PATH=A,B,C      these values of a knob; several knobs make every combination, at most
                        1,000 points. Of a knob that is a list: PATH=[["a"],["a","b"]]
  --window N,N          the context windows, in tokens; --context says the same
  --grid FILE           all this as JSON: {"policy": NAME, "set": {PATH: [A, B]}, "windows": [N],
                        "policies": [NAME]}
Without any of them, every profile is compared.

Many files
  --jobs N              audit, compare, sweep: how many threads work at once (default: one for
                        each processor). Ctrl-C ends with the results of the files that are done

Input
  --format NAME         the format it must be; without it, it is found out
  --conversation N      of a file of many conversations, the one that is the session, counted
                        from 0 (default: 0); the others are counted, but not changed
  --strict              refuse messages that the format's own system refuses to load, and files
                        in a folder that no format recognises
  --also RULE           validate, repair: check this rule besides those of the format, such as
                        last_role for a list that is to be sent as it is, or empty_text for a
                        server that is stricter than OpenAI; may be repeated
  --except RULE         validate, repair: do not check this rule; may be repeated

Output
  --json                for programs: one line of JSON for each file
  --check               plan: exit with 3 if something is to be done; audit: if something
                        was lost
  --summary FILE        compact: the summary of the messages before the retention window;
                        without one they stay where they are
  --record FILE         compact, summarize: write what is needed to go back to this file;
                        undo, recall: the file that they wrote
  --with 'COMMAND'      summarize: a command of the shell; it gets the request as JSON on standard
                        input ({"system", "messages", "maxTokens"}) and answers with the summary
                        on standard output. A refused answer is asked for once more
  --timeout SECONDS     summarize: how long the command may take for one answer (default: 600)
  --free-bytes          compact, summarize: also clear what the file holds beside what is sent:
                        copies of pruned outputs, and outputs that are only marked as pruned
  --focus WORDS         summary-request, summarize: what the summary is to dwell on
  --budget N            summary-request, summarize: the most tokens of the request
  --answer ANSWER       summary-request: the model's answer; it is checked, the files that were
                        read and modified are added to it, and it is printed
  -o, --out OUT         compact, summarize, undo, repair: write the session to this file, which may
                        be FILE itself; - is standard output. The file is replaced as a whole or
                        not at all, whatever happens; other hard links to it keep the old session
  --now MOMENT          compact, summarize: the moment that is written beside what is compacted:
                        milliseconds since 1970, or 2026-01-31T12:00:00Z. Without it, it is the
                        newest moment in the session: the same session gives the same bytes
  --color WHEN          auto, always or never; NO_COLOR is respected
  -h, --help            this text
  -V, --version         the version

Examples
  ebbline plan session.jsonl --context 128000
  ebbline compact session.jsonl -o session.jsonl --record session.record
  ebbline undo session.jsonl -o session.jsonl --record session.record
  ebbline summarize session.jsonl --with './ask-the-model' -o session.jsonl
  ebbline repair session.jsonl -o session.jsonl
  ebbline compare session.jsonl --context 128000
  ebbline sweep sessions/ --set prune.protect=20000,40000 --window 128000 --svg frontier.svg

Exit codes
  0  done, or nothing to do
  1  a file cannot be read or written, is no session, or is not valid (repair: something cannot
     be mended); the command of summarize failed, or its answer was refused twice
  2  the command line is wrong
  3  plan --check: something is to be done
  4  a fault of ebbline itself
  130  interrupted. audit, compare, sweep: what is missing is counted on standard error;
       summarize: the command was ended, and nothing was written
A reader that closes the pipe early, such as head, is no fault.
`;
