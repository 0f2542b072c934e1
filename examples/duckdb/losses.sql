-- The sessions that lost most by the compactions that they record.
SELECT
  file,
  format,
  compactions,
  departed_outputs,
  needed_again,
  read_again,
  round(100.0 * needed_again / nullif(departed_outputs, 0), 1) AS percent_needed_again
FROM 'losses.jsonl'
WHERE compactions > 0
ORDER BY needed_again DESC, read_again DESC, file
LIMIT 20;
