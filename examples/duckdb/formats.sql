-- How much each agent wrote, and its longest session. Every policy has rows of the same sessions: one of them is enough.
SELECT
  format,
  count(*) AS sessions,
  sum(requests)::BIGINT AS requests,
  sum(bytes)::BIGINT AS bytes,
  max(largest_request) AS largest_request,
  arg_max(file, requests) AS longest
FROM 'sessions.jsonl'
WHERE profile = 'none'
GROUP BY format
ORDER BY bytes DESC;
