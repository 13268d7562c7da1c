/** The check is for those who may do everything, as this tool is. */
export const CHECK_TOOL = "knowledge-clear";
